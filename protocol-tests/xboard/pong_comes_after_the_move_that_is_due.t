# A ping behind `go` is answered behind the move.
> xboard
> protover 2
< ...
< feature done=1
> new
> nopost
> st 0.2
> go
> ping 9
< move {move}
< pong 9
> quit
% exit 0
