# XBoard has no text for a leap of more than three squares: a wrong line would make it refuse the moves. The user is warned once.
= piecedef.ini I = W(1,4)
$ -xboard KIL.K
> xboard
> protover 2
< ...
< feature done=1
> new
> variant fairy
< setup *
< piece L& AFsmW
< telluser XBoard's notation cannot express the moves of I: switch off Test Legality in *
> variant fairy
< setup *
< piece L& AFsmW
> ping 1
< ...
< pong 1
! *express the moves*
> quit
% exit 0
