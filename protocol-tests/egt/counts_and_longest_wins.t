# Statistics for people, with the switches of the older program.
$ egt stats KQ.K -m
< KQ.K (dtm)
< white to move wins 144508 of 144508 (100.00 %), longest 19 plies (10 moves)
< black to move loses 200896 of 223944 (89.71 %), longest 20 plies (10 moves), 872 stalemates
< ...
< time * s
% exit 0
