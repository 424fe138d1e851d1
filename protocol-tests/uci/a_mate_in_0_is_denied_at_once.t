# A side that has a move is not mated: the search for a mate in 0 ends at once.
> uci
< ...
< uciok
> go mate 0
< ...
< info string no mate in 0
< ...
< bestmove {move}
> quit
% exit 0
