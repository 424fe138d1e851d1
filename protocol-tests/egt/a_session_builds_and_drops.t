# The same verbs in a UCI session: start, result, done; and a table stays until it is dropped.
> uci
< ...
< uciok
> egt build KR.K metric dtm
< info string egt start id 1
< ...
< info string egt done id 1 status complete count 1 endgame KR.K white 31 black 0 *
> egt drop KR.K
< info string egt start id 2
< info string egt done id 2 status complete count 1 *
> egt drop KR.K
< info string egt error text no table of KR.K is built
> quit
% exit 0
