# 1.e4 e5 and 1.e3 e6 2.e4 e5 both reach the diagram.
$ spg solve --plies 4 --fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR --max-solutions 1
! C+*
< ...
< cooked: at least 2 proof games in 2.0 moves*
< ...
% exit 0
