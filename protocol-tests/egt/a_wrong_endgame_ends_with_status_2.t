# What is wrong with an endgame is named before any work begins.
$ egt stats KQ.kr
% exit 2
