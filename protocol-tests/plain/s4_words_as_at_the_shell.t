# What is typed at the shell is understood in a session: dashes, quotes, and a steno alone.
> steno solve --vocabulary extended '36~#'
< ...
< *1. f3 e6 2. g4 Qh4#*
< ...
< *unique: exactly one game*
> steno solve 36~# --vocabulary extended
< ...
< *unique: exactly one game*
> spg solve --moves 2.5 --fen "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR w - - 0 1"
< ...
< *C+: exactly one proof game in 2.5 moves*
> steno marks
< ...
< *marks expects a game: moves such as --moves e4 e5, or a PGN file
> egt stats KQ.KR metrik dtm
< ...
< *egt stats does not know the word "metrik"; its keys are *
> quit
% exit 0
