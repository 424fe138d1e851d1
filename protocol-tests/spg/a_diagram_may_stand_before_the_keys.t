# A diagram and its length need no keys. A whole number could be moves or half-moves.
> spg solve rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1.5 max 3
< start id 1
< 1) 1.Pe2-e4 Pe7-e5 2.Qd1-h5
< ...
< C+: exactly one proof game in 1.5 moves
< strategies: *
> spg min rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR
< start id 2
< ...
< done id 2 * text the least length is 1.5 moves; *
> spg bounds rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR 3
< error text 3 may be moves or half-moves, write 3.0 for moves or --plies 3 for half-moves
> spg solve rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR 1.5 2.5
< error text expected a FEN and a length such as 2.5, got 1.5
> quit
% exit 0
