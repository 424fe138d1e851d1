# A position that cannot be played on is explained, and a `go` on it is answered.
> uci
< ...
< uciok
> position fen 8/8/8/8/8/8/8/4K3 w - - 0 1
< info string illegal position: black has no king
> go depth 3
< bestmove (none)
> position fen 9/8/8/8/8/8/8/8 w - - 0 1
< info string illegal position: FEN has '9' at column 1, *
> position startpos moves e2e4 e2e4 g8f6
< info string illegal move e2e4 (*) is ignored, and what follows it
> go depth 1
< ...
< bestmove {move}
> quit
% exit 0
