# All moves with their distances, the best one marked.
$ egt probe --fen "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
< move g1g7 wdl 1 dtx 1 kind dtc best 1
< ...
< fen *, wdl 1, dtc 1, best g1g7; finished after * s, * nodes
% exit 0
