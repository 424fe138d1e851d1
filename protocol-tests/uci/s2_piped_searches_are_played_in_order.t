# S2: searches that end by themselves are played one after the other, the clocked and timed ones with
# their full time, and the last is finished at the end of input.
> uci
< ...
< uciok
> position startpos
> go depth 4
> position fen 8/8/8/8/8/1k6/r7/K7 w - - 0 1
> go movetime 50
> position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1
> go mate 2
> go perft 2
> d
> ^D
< ...
< bestmove {move}
< ...
< bestmove a1b1
< ...
< bestmove {move}
< ...
< Nodes searched: {int}
< ...
< *+---+*
! bestmove *
! info string busy *
% exit 0
