# The mating move, then the result; and the user's mate is seen as well.
> xboard
> protover 2
< ...
< feature done=1
> new
> force
> nopost
> st 1
> setboard 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1
> go
< move e1e8
< 1-0 {White mates}
> new
> force
> setboard 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1
> playother
> usermove e1e8
< 1-0 {White mates}
! move *
> quit
% exit 0
