# The engine is a rook behind, and accepts; before its first move it knows no score, so the offer stands until the move.
> xboard
> protover 2
< feature done=0
< ...
< feature done=1
> new
> sd 4
> setboard 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1
> draw
> usermove e1e2
< ...
< offer draw
< move {move}*
> draw
< offer draw
> quit
% exit 0
