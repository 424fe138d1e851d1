# What counting proves is no error: the verdict is none, with every reason.
$ spg solve --moves 4.0 --json --fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNN
< {"t":"start",*
< ...
< {"t":"end",*"verdict":"none",*"complete":true,*"reasons":["white shows 1 promoted piece, but only 0 of its pawns are missing"]*
% exit 0
