# A ponder search outlasts its clock, and answers once the opponent has moved.
> uci
< ...
< uciok
> setoption name Ponder value true
> position startpos moves e2e4 e7e5 g1f3
> go wtime 100 btime 100 ponder
~ 300 ms
! bestmove *
> ponderhit
< ...
< bestmove {move}*
@ within 500 ms
> ponderhit
> isready
< readyok
> quit
% exit 0
