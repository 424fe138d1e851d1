# `quit` is obeyed at once, also on all threads.
> uci
< ...
< uciok
> setoption name Threads value 2
> go infinite
~ 100 ms
> quit
% exit 0
