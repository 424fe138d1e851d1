# Even the smallest search gives every line a score before its move.
> uci
< ...
< uciok
> go nodes 0
< info depth 1 * score cp {int} * pv {move}*
< ...
< bestmove {move}
> setoption name MultiPV value 3
> go nodes 1
< info depth 1 * multipv 1 score cp {int} * pv {move}*
< info depth 1 * multipv 2 score cp {int} * pv {move}*
< info depth 1 * multipv 3 score cp {int} * pv {move}*
< ...
< bestmove {move}
> quit
% exit 0
