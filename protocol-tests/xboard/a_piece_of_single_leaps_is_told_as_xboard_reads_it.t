# XBoard reads flN as two squares left and one forward, and turns Black's pieces by 180 degrees, where Umbrail mirrors them.
= piecedef.ini X = WfbNbbF
= piecedef.ini Y = flNlfN
$ -xboard KX.KY
> xboard
> protover 2
< ...
< feature done=1
> new
> variant fairy
< setup *
< piece X& vNbFW
< piece Y flNlfN
< piece y frNrfN
> force
> nopost
> setboard 8/8/8/3k3y/8/8/1X6/K7 w - - 0 1
> usermove b2c3
< Illegal move (the X on b2 cannot go there): b2c3
> usermove b2d3
< Illegal move (the X on b2 cannot go there): b2d3
> usermove b2c4
> usermove h5g3
> ping 1
< pong 1
> setboard 8/8/8/3k4/8/8/1x1Y4/K7 w - - 0 1
> usermove d2b1
< Illegal move (the Y on d2 cannot go there): d2b1
> usermove d2f3
< Illegal move (the Y on d2 cannot go there): d2f3
> usermove d2b3
> ping 2
< pong 2
> quit
% exit 0
