# Scripts leave out the greeting of UCI: its commands select it when they come first and no person is at a terminal.
> position startpos moves e2e4
> go depth 2
< ...
< info depth 2 * pv *
< ...
< bestmove {move}
> quit
% exit 0
