# In standard chess HAha means KQkq, e1h1 is taken for e1g1, and castling is written as the king's step; with UCI_Chess960
# it is the other way round.
> uci
< ...
< uciok
> position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1
! info string *
> d
< ...
< Fen: r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1
< ...
> go depth 1 searchmoves e8a8
< ...
< bestmove e8c8
> setoption name UCI_Chess960 value true
> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1
> go depth 1 searchmoves e8c8
< ...
< bestmove e8a8
> quit
% exit 0
