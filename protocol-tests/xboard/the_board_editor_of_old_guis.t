# `edit` with its idiom for Black to move.
> xboard
> protover 2
< ...
< feature done=1
> new
> force
> a2a3
> edit
> #
> Ke1
> Qd1
> c
> Ke8
> .
> nopost
> st 0.05
> go
< move e8*
> quit
% exit 0
