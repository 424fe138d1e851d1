# Which deduction refuted how many strategies, and what becomes of one strategy.
> spg explain moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R
< ...
< strategies: 1 enumerated: 0 refuted by analysis, 1 left to be searched
> spg explain moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R text Pf2-f4, Pf7-f5, Sg1-f3
< ...
< it is enumerated, with 0+0 free moves
< ...
< exactly one game ({int} moves)
> spg explain moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R text Pf2-f4, Pf7-f9
< *expected a strategy such as "Sb1-c3, Pe2-e4", or a game; as a strategy column 13: expected a square; as a game half-move 1, *
> quit
% exit 0
