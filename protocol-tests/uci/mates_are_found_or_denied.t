# `go mate` finds a mate by zugzwang, and says so when there is none.
> uci
< ...
< uciok
> position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1
> go mate 2
< ...
< info * score mate 2 * pv a1a6 *
< ...
< bestmove a1a6
> go mate 1
< ...
< info string no mate in 1
< ...
< bestmove {move}
> quit
% exit 0
