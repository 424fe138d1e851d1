# Strategies that were only counted are played another day, without seeking.
> spg solve moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R histogram strategies-out kept.spgs
< ...
< not fully tested in 1.5 moves: no proof game found so far; 1 strategies found, 0 played to the end
> spg solve moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R strategies-in kept.spgs
< ...
< C+: exactly one proof game in 1.5 moves
> spg solve moves 2.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R strategies-in kept.spgs
< ...
< *kept.spgs has the strategies of *not of this problem
> quit
