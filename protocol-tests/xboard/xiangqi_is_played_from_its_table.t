# Chinese chess: the table is built when a move is due. XBoard counts the ten ranks from 0.
$ xboard
> xboard
> protover 2
< ...
< feature done=1
> new
> variant xiangqi
< # xiangqi does not model *
> nopost
> force
> usermove h2e2
> usermove h9g7
> usermove e0e2
< Illegal move (the K on e0 cannot go there): e0e2
> setboard 3k5/9/9/9/9/R8/9/9/9/4K4 w - - 0 1
> usermove a4b5
< Illegal move (the R on a4 cannot go there): a4b5
> usermove e0f0
> usermove d9e9
> undo
> undo
> go
< telluser No table of KR.K yet: building it.
< move a4a8
< 1-0 {White stalemates}
> result 1-0 {White stalemates}
> setboard 3k5/9/9/9/9/R8/9/9/9/4K4 w - - 0 1
> playother
> usermove a4a5
< move d9d8
> hint
< Hint: a5d5
> usermove a5d5
< 1-0 {White mates}
> setboard 4k4/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1
> go
< tellusererror Illegal position: white to move could capture the royal of black
> setboard rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1
> go
< tellusererror There is no table of this position: 32 pieces are too many, at most 8 are possible
> quit
% exit 0
