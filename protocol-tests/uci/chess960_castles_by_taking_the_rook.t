# With UCI_Chess960, castling is king takes own rook.
> uci
< ...
< uciok
> setoption name UCI_Chess960 value true
> position fen 1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1
> go depth 1 searchmoves f1h1
< ...
< bestmove f1h1
> quit
% exit 0
