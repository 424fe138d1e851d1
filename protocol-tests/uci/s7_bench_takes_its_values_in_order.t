# `bench HASH THREADS LIMIT FILE TYPE`, as other engines' tools word it.
> uci
< ...
< uciok
> bench 16 1 3
< ...
< {int} nodes {int} nps
> position startpos
> bench 16 1 500 current nodes
< position 1/1: * nodes (rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)
< ...
< {int} nodes {int} nps
> bench 16 1 3 current perft
< position 1/1: 8902 nodes (rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)
< ...
< 8902 nodes {int} nps
> bench 16 1 31 current perft
< info string bench by perft expects a depth from 1 to 30
> bench 16 1 3 no-such-file.epd depth
< info string *no-such-file.epd*
> bench 16 1 3 default plies
< info string expected depth, nodes, movetime or perft, got "plies"
> bench 16 x
< info string *with numbers above 0, got "x"
> quit
% exit 0
