# A missing folder is named, without the words that xboard takes for a failed start.
> xboard
> protover 2
< ...
< feature done=1
> option SyzygyPath=no/such/folder
> sd 2
> usermove e2e4
< tellusererror SyzygyPath no/such/folder: no such file *
< # SyzygyPath: found no tables
< ...
< move {move}
> quit
% exit 0
