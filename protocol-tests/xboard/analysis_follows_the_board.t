# Analysis shows lines, never moves, and follows moves, undo and new boards.
> xboard
> protover 2
< ...
< feature done=1
> new
> force
> post
> analyze
< ...
< 4 {int} {int} {int} {int} {int} {int}	*
> usermove e2e4
> .
< ...
< stat01: {int} {int} {int} {int} 20*
> undo
> exclude all
> include a2a3
< ...
< 5 {int} {int} {int} {int} {int} {int}	a3*
! move *
> exit
> ping 1
< ...
< pong 1
! 6 *
> quit
% exit 0
