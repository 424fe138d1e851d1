# What the command line sets is what the conversation begins with.
$ --set "Move Overhead=77" --threads 2 uci
> uci
< ...
< option name Threads type spin default 2 *
< ...
< option name Move Overhead type spin default 77 *
< ...
< uciok
> quit
% exit 0
