# The game of 2.5 moves counts in a search of 3.5, since the same side is to move; it does not make 3.5 sound.
> spg solve rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR 3.5 intended 2
! *C+*
< start id 1
< 1) 1. d4 Sf6 2. Bf4 Sd5 3. Bxc7
< ...
< a game of 2.5 moves exists, so 3.5 is not the shortest length; exactly one proof game in 2.5 moves and none in 3.5
< 2 solutions are intended; the verdict differs
< strategies: *
> spg solve rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR 3.5 length exact
< start id 2
< ...
< no proof game in 3.5 moves (length exact: shorter games not searched)
< ...
> spg check moves 3.5 fen rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR text 1.d4 Nf6 2.Bf4 Nd5 3.Bxc7
< ...
< *the game reaches the diagram; a game of 2.5 moves exists, so 3.5 is not the shortest length*
> spg explain moves 3.5 fen rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR text 1.d4 Nf6 2.Bf4 Nd5 3.Bxc7
< ...
< exactly one game ({int} moves); a game of 2.5 moves exists, so 3.5 is not the shortest length
> quit
% exit 0
