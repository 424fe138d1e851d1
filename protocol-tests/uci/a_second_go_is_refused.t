# One search at a time.
> uci
< ...
< uciok
> go infinite
> go depth 1
< ...
< info string busy with a search, send stop first
! bestmove *
> stop
< ...
< bestmove {move}
! bestmove *
> quit
% exit 0
