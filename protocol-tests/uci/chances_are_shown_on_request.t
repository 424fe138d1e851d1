# UCI_ShowWDL adds chances behind the score.
> uci
< ...
< uciok
> go depth 1
< info depth 1 seldepth {int} multipv 1 score cp {int} nodes *
< ...
< bestmove {move}
> setoption name UCI_ShowWDL value true
> go depth 1
< info depth 1 seldepth {int} multipv 1 score cp {int} wdl {int} {int} {int} nodes *
< ...
< bestmove {move}
> quit
% exit 0
