# The fifty-move rule: distance to zeroing, and the result by the rule.
$ egt probe --metric dtz --fen "8/6k1/1P6/8/8/8/K7/8 w - - 0 1"
< ...
< fen *, wdl 1, dtz 1, wdl50 2, best b6b7; finished after * s, * nodes
% exit 0
