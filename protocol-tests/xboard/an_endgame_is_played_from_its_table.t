# The old installation line: the men are announced, go waits for the table, moves are checked.
$ -xboard -m KQ.K
> xboard
> protover 2
< ...
< feature done=1
> new
> variant fairy
< setup (PNBRQ*Kpnbrq*k) 8x8+0_fairy *
> force
> setboard 7k/8/5K2/8/6Q1/8/8/8 w - - 0 1
> go
< ...
< 2 100001 0 *g4g7*
< move g4g7
< 1-0 {White mates}
> quit
% exit 0
