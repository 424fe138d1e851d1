# An endgame with an unknown man is refused as soon as the program runs; ordinary chess goes on.
$ -xboard KQJ.KR
< tellusererror endgame KQJ.KR cannot be built: no piece has the letter 'J'; known are *
> xboard
> protover 2
< ...
< feature done=1
> new
> sd 2
> usermove e2e4
< ...
< move {move}
! tellusererror *
> quit
% exit 0
