# EGTgen's dialogue: a position from the editor is answered with White's moves, and the best one is
# made; a typed reply goes on from there, to the mate. Input waits while the table is built.
$ 3men -m KR.K
> edit
> #
> Kc6
> Rb1
> c
> Ka8
> .
> a8a7
> quit
< ...
< KR.K complete: longest win 31 plies
< ...
< maximin*31 plies*
< ...
< k . . . . . . .
< . . . . . . . .
< . . K . . . . .
< ...
< c6b7:*-*
< ...
< *620170 mate in 1
< ...
< move c6c7
< ...
< *620060 mate in 0
< ...
< move b1a1
< mate
% exit 0
