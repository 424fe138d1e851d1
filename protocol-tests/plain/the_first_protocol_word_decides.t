# Before `uci`, commands are plain; after it, UCI it stays.
> setoption name Hash value 4
> options
< Hash = 4  *
< ...
< Log File = <empty>  *
> uci
< ...
< id name *
< ...
< uciok
> xboard
< info string unknown command: xboard
> quit
% exit 0
