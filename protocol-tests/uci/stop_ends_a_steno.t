# A steno that would take hours answers isready at once and obeys stop.
> uci
< ...
< uciok
> steno solve text ~~~~~~~~~~#
< info string steno start id 1
> isready
< ...
< readyok
@ within 200 ms
~ 300 ms
> stop
< ...
< info string steno done id 1 status stopped count 0 *
@ within 500 ms
> quit
% exit 0
