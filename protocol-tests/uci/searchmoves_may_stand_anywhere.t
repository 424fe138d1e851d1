# Limits count also behind `searchmoves`.
> uci
< ...
< uciok
> position startpos
> go searchmoves a2a3 depth 3
< ...
< bestmove a2a3
> go depth 2 searchmoves h2h4 zzzz
< info string illegal move zzzz (*) is not searched
< ...
< bestmove h2h4
> quit
% exit 0
