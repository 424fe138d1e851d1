# The diagram at hand is solved while the engine answers; then `go` solves it in another length.
> uci
< ...
< uciok
> position fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R b KQkq - 0 2
> spg solve moves 1.5
< info string spg start id 1
< ...
< info string spg result index 1 plies 3 text 1. f4 f5 2. Nf3
< ...
< info string spg done id 1 status complete verdict unique count 1 *
> spg solve moves
< info string spg error text moves expects a value
> spg solve moves 1.5 rules -Q7
< info string spg error text "-Q7" is not a rule, *
> spg check moves 1.5 text 1. f4 f5 2. Nf3
< info string spg start id 2
< info string spg done id 2 status complete fits true *
> setoption name Solver value spg
> setoption name SPG Moves value 1.0
> go depth 1
< info string spg start id 3
< ...
< info string spg done id 3 status complete verdict none count 0 *
< bestmove (none)
> quit
% exit 0
