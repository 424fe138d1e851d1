# A steno is solved while the engine answers, with every game and one end; then `go` solves another.
> uci
< ...
< uciok
> steno solve vocab classic text ghLxLR3xo#
< info string steno start id 1
< ...
< info string steno result index 1 text 1. g4 h5 2. Bg2 hxg4 3. Bxb7 Rxh2 4. Nh3 Bxb7 5. O-O Rh1#
< ...
< info string steno done id 1 status complete count 1 *
> steno solve text e4&
< info string steno error text column 4: expected a mark at the end in "e4&"
> steno match moves e2e4 e7e5 text 44
< info string steno start id 2
< info string steno done id 2 status complete fits false ply 2 * text half-move 2 does not satisfy 4
> setoption name Solver value steno
> setoption name Steno Text value 36~#
> go depth 1
< info string steno start id 3
< ...
< info string steno result index 1 text 1. f3 e6 2. g4 Qh4#
< ...
< info string steno done id 3 status complete count 1 *
< bestmove (none)
> quit
% exit 0
