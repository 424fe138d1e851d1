# With `debug on`, the work is announced in words.
> uci
< ...
< uciok
> debug on
> go depth 2 nodes 5000
< info string search to depth 2, up to 5000 nodes with 1 thread
< ...
< bestmove {move}
> go wtime 60 btime 60 winc 5 movestogo 3
< info string search on a clock of 60 ms and 5 ms a move, for 3 moves with 1 thread
< ...
< bestmove {move}
> quit
% exit 0
