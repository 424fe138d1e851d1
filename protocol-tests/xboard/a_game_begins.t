# The engine has Black after `new`, and answers.
> xboard
> protover 2
< ...
< feature done=1
> new
> random
> level 40 5 0
> st 0.1
> hard
> easy
> nopost
> ping 1
< pong 1
> usermove e2e4
< move {move}
> usermove e2e4
< Illegal move (*): e2e4
> quit
% exit 0
