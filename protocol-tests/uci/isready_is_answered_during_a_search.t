# `isready` does not wait for the search, and does not disturb it.
> uci
< ...
< uciok
> go infinite
~ 50 ms
> isready
< ...
< readyok
@ within 300 ms
! bestmove *
> stop
< ...
< bestmove {move}
> quit
% exit 0
