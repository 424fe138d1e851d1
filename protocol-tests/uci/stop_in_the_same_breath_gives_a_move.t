# A search that is stopped before it began still answers.
> uci
< ...
< uciok
> position startpos
> go infinite
> stop
< ...
< bestmove {move}
> quit
% exit 0
