# A GUI that dies must not leave an engine behind.
> uci
< ...
< uciok
> go infinite
~ 50 ms
> ^D
% exit 0
