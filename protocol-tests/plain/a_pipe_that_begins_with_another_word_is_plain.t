# The words of the other crafts, perft and bench belong to no protocol; what follows them is plain, too.
> perft 1
< a2a3: 1
< ...
< Nodes searched: 20
< ...
> setoption name Hash value 4
> go depth 2
! info *
< ...
< bestmove {move}
> quit
% exit 0
