# S0: behind `stop`, the next position and `go` wait for the old bestmove and are answered then. PolyGlot
# sends all three at once when the opponent does not play the expected move.
> uci
< ...
< uciok
> position startpos moves e2e4 e7e5
> go ponder wtime 60000 btime 60000
~ 50 ms
> stop
> position fen 8/8/8/8/8/1k6/r7/K7 w - - 0 1
> go wtime 1000 btime 1000
< ...
< bestmove {move}
< ...
< bestmove a1b1
! bestmove *
! info string busy *
> isready
< readyok
> quit
% exit 0
