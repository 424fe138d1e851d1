# `stop` ends an infinite search with exactly one bestmove.
> uci
< id name Umbrail *
< ...
< uciok
> go infinite
~ 50 ms
! bestmove *
> stop
< ...
< bestmove {move}
@ within 500 ms
> isready
< readyok
! bestmove *
> quit
% exit 0
