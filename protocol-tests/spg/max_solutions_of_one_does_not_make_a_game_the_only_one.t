# 1.e4 e5 and 1.e3 e6 2.e4 e5 both reach the diagram.
$ spg solve --plies 4 --fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR --max-solutions 1
! C+*
< ...
< a game of 1.0 moves exists, so 2.0 is not the shortest length; cooked: at least one proof game in 1.0 moves and 1 in 2.0*
< ...
% exit 0
