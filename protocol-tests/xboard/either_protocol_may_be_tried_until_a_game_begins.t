# GUIs that find out the protocol by trying (Arena) send `xboard`, then `uci`, to one process.
> xboard
> protover 2
< ...
< feature done=1
> uci
< ...
< uciok
> isready
< readyok
> position startpos
> xboard
< info string unknown command: xboard
> go depth 1
< ...
< bestmove {move}
> quit
% exit 0
