# What can be typed in a conversation can be given on the command line.
$ go depth 3 --fen "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
< ...
< bestmove a1a8*
% exit 0
