# A position is legal by a game, or illegal by an argument. Castling rights and the en passant square count.
> spg legal rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1
< start id 1
< legal: a game of 1.0 moves leads to the position
< 1. e4 e5
< least length with white to move: 1.0 moves: 1. e4 e5
> spg legal rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1
< start id 2
< illegal: parity: *
> spg legal 4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1
< start id 3
< illegal: black is in double check, and no last move of white can have given it
> spg legal 4k3/8/8/8/8/8/8/4K3 w K - 0 1
< start id 4
< illegal: white may castle by the FEN, but has no rook on h1
> quit
% exit 0
