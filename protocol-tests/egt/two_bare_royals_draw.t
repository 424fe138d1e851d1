# A bare royal loses, but with both royals bare the game is drawn.
$ egt stats K.K --bare 1
< K.K (dtc)
< white never wins; *
< black never wins; *
< mutual zugzwangs: none
< time * s
% exit 0
