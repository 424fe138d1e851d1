# The fifty-move rule: distance to zeroing, and the result by the rule.
$ egt probe --metric dtz --fen "8/6k1/1P6/8/8/8/K7/8 w - - 0 1"
< ...
< white to move wins in 1 ply to mate, capture or pawn move; best is b6b7
< time * s
% exit 0
