# The limit of go is kept while one strategy is searched, which takes many seconds; the best move of a diagram is none.
# A machine that runs all tests at once may be slow to answer.
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
@ within 900 ms
> quit
% exit 0
