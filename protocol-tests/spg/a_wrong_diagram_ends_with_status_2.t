# A text that is no diagram is an error; no game is looked for.
$ spg solve --moves 4.0 --fen rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR
% exit 2
