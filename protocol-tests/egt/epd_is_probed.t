# A line of EPD is a position, too; its operations are left out of what is repeated.
= positions.epd # what maximin writes
= positions.epd 8/8/8/5k2/8/8/1Q6/K7 w - - c0 "white wins, dtc 19 plies";
= positions.epd 8/8/8/5k2/8/8/1Q6/K7 b - - hmvc 3; fmvn 40; id "a; b";
$ egt probe positions.epd
< 8/8/8/5k2/8/8/1Q6/K7 w - - 0 1: wins in *
< 8/8/8/5k2/8/8/1Q6/K7 b - - 3 40: loses in *
< ...
% exit 0
