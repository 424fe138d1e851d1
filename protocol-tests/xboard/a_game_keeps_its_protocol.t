# `uci` in a text of several lines is text, and after a move it is a word like any other.
> xboard
> protover 2
< ...
< feature done=1
> steno solve vocabulary extended text <<END
> uci
> END
! id name *
> force
> usermove e2e4
> uci
< ...
< Error (unknown command): uci
> quit
% exit 0
