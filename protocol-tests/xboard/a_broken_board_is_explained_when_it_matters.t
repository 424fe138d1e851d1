# xboard pastes half a board first: nothing pops up until a move is to be played on it.
> xboard
> protover 2
< ...
< feature done=1
> new
> force
> setboard ..cakc../pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1
> ping 1
< pong 1
> setboard 8/8/8/3k4/3l4/8/8/KA6 w - - 0 1
> ping 2
< pong 2
> go
< tellusererror Illegal position: *
> go
! tellusererror *
> usermove a1a2
< Illegal move (the position cannot be used): a1a2
> new
> nopost
> st 0.05
> go
< move {move}
> quit
% exit 0
