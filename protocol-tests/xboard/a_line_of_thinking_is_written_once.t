# The last line of a search is not repeated before the move.
> xboard
> protover 2
< ...
< feature done=1
> sd 4
> usermove e2e4
< 1 {int} *
< 2 {int} *
< 3 {int} *
< 4 {int} *
< move {move}
> quit
% exit 0
