# Input that cannot be used is named on standard error, and the status says so.
$ eval --fen "8/8/8/8/8/8/8/8 w - - 0 1"
! illegal position *
% exit 2
