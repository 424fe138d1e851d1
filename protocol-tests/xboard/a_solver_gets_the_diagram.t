# With Solver chosen, go and analyze give it the board, and no move is made.
> xboard
> protover 2
< ...
< feature done=1
> option Solver=steno
> option Steno Text=36~#
> option Steno Vocabulary=extended
> go
< ...
< *steno result index 1 text 1. f3 e6 2. g4 Qh4#
< ...
< # steno done id 1 status complete count 1 *
> analyze
< ...
< # steno done id 2 status complete count 1 *
> ping 1
< pong 1
! move *
> quit
% exit 0
