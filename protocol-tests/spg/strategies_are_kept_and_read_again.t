# Strategies that were only counted are searched another day, without enumerating them again.
> spg solve moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R histogram strategies-out kept.spgs
< ...
< strategies of 1.5 moves were only counted: 1 enumerated: 0 refuted by analysis, 1 left to be searched
> spg solve moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R strategies-in kept.spgs
< ...
< C+: exactly one proof game in 1.5 moves (given the strategy file with digest 5da37ab103ac9931)
> spg solve moves 2.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R strategies-in kept.spgs
< ...
< *kept.spgs has the strategies of *not of this problem
> quit
