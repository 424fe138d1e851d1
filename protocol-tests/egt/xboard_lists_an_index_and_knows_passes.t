# The same list in the Engine-Output window; a pass only where the rules have one.
$ -xboard KR.K
> xboard
> protover 2
< ...
< feature done=1
> new
> variant fairy
> force
> 520170
< ...
< 2 0 0 1*c6c7:*
< ...
< 2 0 0 1*mate in *
> setboard 8/8/8/3k4/8/8/8/KR6 b - - 0 1
> usermove @@@@
< ...
< Illegal move (passing requires the option Null Move): @@@@
> option Null Move=1
> setboard 8/8/8/3k4/8/8/8/KR6 b - - 0 1
> usermove @@@@
> ping 4
< ...
< pong 4
! Illegal*
> quit
% exit 0
