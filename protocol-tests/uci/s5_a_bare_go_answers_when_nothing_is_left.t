# A search without limits ends when its depth runs out, and says its last line once.
> uci
< ...
< uciok
> position startpos moves f2f3 e7e5 g2g4
> go
< ...
< info depth 127 * pv d8h4
< bestmove d8h4
> position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
> go
< info depth 0 score cp 0 *
< bestmove (none)
> quit
% exit 0
