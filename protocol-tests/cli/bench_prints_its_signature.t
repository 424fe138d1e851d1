# The last line has the node count and the speed.
$ bench --depth 1
< position 1/{int}: {int} nodes (*)
< ...
< {int} nodes {int} nps
% exit 0
