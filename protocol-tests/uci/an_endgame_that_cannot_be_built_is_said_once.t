# A wrong Endgame is said when it would be used, once, and the search answers.
$ uci
> setoption name Endgame value KQJ.KR
> position fen 8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1
> go depth 1
< ...
< info string endgame KQJ.KR cannot be built: no piece has the letter 'J'; known are *
< ...
< bestmove {move}*
> go depth 1
< ...
< bestmove {move}*
! info string endgame *
> quit
% exit 0
