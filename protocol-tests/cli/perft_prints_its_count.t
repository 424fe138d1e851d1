# A subcommand does its work and ends with status 0.
$ perft 3
< a2a3: 380
< ...
< Nodes searched: 8902
< {int} nodes per second
% exit 0
