# The limit of go is kept within 100 ms while one strategy is searched; the best move of a diagram is none.
$ uci
> setoption name Solver value spg
> setoption name SPG Moves value 25.5
> setoption name SPG Length value exact
> position fen k5n1/3ppp1p/B1p2p2/pP3P1b/4P1nP/8/1PP1PPrb/RNB1K1NR b - - 0 1
> isready
< ...
< readyok
> go movetime 400
< ...
< bestmove *
@ within 500 ms
> quit
% exit 0
