# Input that cannot be used is named, and the status says so.
$ eval --fen "8/8/8/8/8/8/8/8 w - - 0 1"
< illegal position: white has no king; black has no king
% exit 2
