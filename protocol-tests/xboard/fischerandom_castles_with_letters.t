# In Fischer Random, castling is said and heard as O-O.
> xboard
> protover 2
< ...
< feature done=1
> new
> variant fischerandom
> force
> setboard 5k2/8/8/8/8/8/8/1R2K1R1 w GB - 0 1
> usermove O-O
> ping 1
< pong 1
> undo
> exclude all
> include O-O
> nopost
> st 0.05
> go
< move O-O
> quit
% exit 0
