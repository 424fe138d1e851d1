# A diagram and its length need no keys. A whole number could be moves or half-moves.
> spg solve rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1.5 max 3
< start id 1
< 1) 1. e4 e5 2. Qh5
< ...
< C+: exactly one proof game in 1.5 moves
< strategies: *
> spg min rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR
< start id 2
< ...
< done id 2 * text the least length is 1.5 moves; *
# A position that is illegal at any length, and a game behind its diagram.
> spg min rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNN
< start id 3
< ...
< done id 3 * text no game of any length: white shows 1 promoted piece, but only 0 of its pawns are missing
> spg min rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR to 1.0
< start id 4
< ...
< done id 4 * text no game in 0.0 to 1.0 moves; longer games were not tried (--to)
> spg check text rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR 1.5 1.e4 e5 2.Qh5
< start id 5
< ...
< done id 5 * text the game reaches the diagram
> spg bounds rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR 3
< error text 3 may be moves or half-moves, write 3.0 for moves or --plies 3 for half-moves
> spg solve rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR 1.5 2.5
< error text expected a FEN and a length such as 2.5, got 1.5
> quit
% exit 0
