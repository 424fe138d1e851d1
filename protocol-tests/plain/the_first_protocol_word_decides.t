# Before `uci`, commands are plain; after it, and once a game has begun, UCI it stays.
> options
< ...
< Hash = 16  *
< ...
< Log File = <empty>  *
< ...
> uci
< ...
< id name *
< ...
< uciok
> position startpos
> xboard
< info string unknown command: xboard
> quit
% exit 0
