# S2: the GUI has gone, but a script that pipes a game sees the move.
> xboard
> protover 2
< ...
< feature done=1
> new
> nopost
> st 30
> usermove e2e4
> ^D
< move {move}
@ within 2000 ms
% exit 0
