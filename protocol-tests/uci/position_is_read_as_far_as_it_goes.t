# EPD operations do not empty the board; a move without the word `moves` is an error.
> uci
< ...
< uciok
> position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "a mate";
> go depth 2
< ...
< bestmove a1a8
> position startpos e2e4
< info string position startpos expects moves, got "e2e4"
> quit
% exit 0
