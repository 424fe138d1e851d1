# Commands of a room that is not built in say so.
> uci
< ...
< uciok
> spg solve moves 23.0
< info string spg error text spg (shortest proof games) is not built into this version yet
> spg help
< spg: shortest proof games
< not built into this version yet
> quit
% exit 0
