# After `force` no move comes any more.
> xboard
> protover 2
< ...
< feature done=1
> new
> nopost
> st 30
> go
~ 50 ms
> force
> ping 1
< pong 1
! move *
> quit
% exit 0
