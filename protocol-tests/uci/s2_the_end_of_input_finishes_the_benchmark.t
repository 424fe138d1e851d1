# S2: perft and bench hold back what follows, `isready` and `quit` too, and report in full.
> uci
< ...
< uciok
> go perft 3
> isready
> bench depth 2
> quit
> ^D
< ...
< Nodes searched: 8902
< {int} nodes per second
< readyok
< ...
< {int} nodes {int} nps
% exit 0
