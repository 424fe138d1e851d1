# What users of other engines type: `go perft`, `d`, `eval`, `flip`.
> uci
< ...
< uciok
> position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
> go perft 2
< ...
< e1g1: {int}
< ...
< Nodes searched: 568
< {int} nodes per second
> flip
> d
< ...
< Fen: r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1
< Key: *
< Checkers:
> eval
< Evaluation: *
> quit
% exit 0
