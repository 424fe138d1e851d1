# A FEN of the command line follows the same castling rules.
$ perft 1 --fen "4k3/8/8/8/8/8/8/R5K1 w Q - 0 1"
! g1a1: 1
< ...
< Nodes searched: 17
< ...
% exit 0
