# So do arguments.
$ perft deep
% exit 2
