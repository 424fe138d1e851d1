# All moves with their distances, the best one marked.
$ egt probe --fen "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"
< g1g7   wins in 1 ply to mate or conversion  best
< ...
< white to move wins in 1 ply to mate or conversion; best is g1g7
< time * s
% exit 0
