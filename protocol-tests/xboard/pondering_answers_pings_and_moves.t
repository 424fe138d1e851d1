# With `hard` the engine thinks on, answers pings at once, and still plays its next move.
> xboard
> protover 2
< ...
< feature done=1
> new
> nopost
> hard
> st 0.2
> usermove e2e4
< move {move}
> ping 3
< pong 3
@ within 500 ms
> usermove a2a3
< move {move}
> easy
> ping 4
< pong 4
> quit
% exit 0
