# `force`, `new` and `result` end a search although a task waits for its end: no move follows.
> xboard
> protover 2
< ...
< feature done=1
> new
> nopost
> st 2
> usermove e2e4
> egt stats KR.K
> force
< ...
< # egt done id 2 status complete *
> ping 1
< pong 1
> new
> st 2
> usermove d2d4
> egt stats KR.K
> new
< ...
< # egt done id 4 status complete *
> usermove a2a3
> egt stats KR.K
> result 1-0 {Black resigns}
< ...
< # egt done id 6 status complete *
~ 2100 ms
> ping 2
! move *
> quit
% exit 0
