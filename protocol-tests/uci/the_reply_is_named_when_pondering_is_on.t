# `ponder` follows the best move only when the GUI lets the engine ponder.
> uci
< ...
< uciok
> go depth 4
< ...
< bestmove {move}
> setoption name Ponder value true
> go depth 4
< ...
< bestmove {move} ponder {move}
> quit
% exit 0
