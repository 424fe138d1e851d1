# What is offered, and how a bad value is answered.
> uci
< id name Umbrail *
< id author *
< option name Hash type spin default 16 min 1 max 1048576
< ...
< option name Log File type string default <empty>
< ...
< uciok
> setoption name Hash value 0
< info string Hash must be 1..1048576, got 0
> setoption name hash value 8
> setoption name Move_Overhead value 5
> setoption name Trheads value 2
< info string no option is called "Trheads", did you mean Threads
> setoption Hash 16
< info string setoption expects: name NAME [value VALUE]
> isready
< readyok
> quit
% exit 0
