# Which deduction refused how many strategies, and what becomes of one strategy.
> spg explain moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R
< ...
< 1 strategies left the tree, 1 were kept by thinking and would have to be played
> spg explain moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R text Pf2-f4, Pf7-f5, Sg1-f3
< ...
< the tree keeps it, with 0+0 free moves
< ...
< exactly one game ({int} moves)
> spg explain moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R text Pf2-f4, Pf7-f9
< *expected a strategy such as "Sb1-c3, Pe2-e4", or a game; as a strategy column 13: expected a square
> quit
% exit 0
