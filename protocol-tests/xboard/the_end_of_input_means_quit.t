# Also in the middle of an analysis.
> xboard
> protover 2
< ...
< feature done=1
> new
> analyze
~ 50 ms
> ^D
% exit 0
