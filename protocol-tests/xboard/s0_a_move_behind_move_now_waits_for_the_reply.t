# S0: behind `?` the next move waits for the engine's; the ping comes last.
> xboard
> protover 2
< ...
< feature done=1
> new
> nopost
> st 30
> usermove e2e4
> ?
> st 0.1
> usermove a2a3
> ping 1
< move {move}
< move {move}
< pong 1
> quit
% exit 0
