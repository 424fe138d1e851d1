# With nothing left to search, `go infinite` reports the score at once and waits for `stop` all the same.
> uci
< ...
< uciok
> position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1
> go infinite
< info depth 0 score mate 0 *
~ 200 ms
! *
> stop
< bestmove (none)
> position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
> go depth 3
< info depth 0 score cp 0 *
< bestmove (none)
> quit
% exit 0
