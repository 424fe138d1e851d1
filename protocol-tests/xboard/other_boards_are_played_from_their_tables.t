# A board that XBoard names by its size: the engine describes it, and files and ranks have their own names.
$ xboard KQ.K
> xboard
> protover 2
< ...
< feature done=1
> new
> variant 10x8+0_fairy
< setup (PNBRQ*Kpnbrq*k) 10x8+0_fairy *
> nopost
> force
> setboard k9/9Q/1K8/10/10/10/10/10 w - - 0 1
> usermove j7k7
< Illegal move (the Q on j7 cannot go there): j7k7
> go
< ...
< move j7*
< 1-0 {White mates}
> new
> variant gardner
< setup (PNBRQ*Kpnbrq*k) 5x5+0_fairy * w - - 0 1
< piece P& *
> force
> usermove a2a4
< Illegal move (the P on a2 cannot go there): a2a4
> new
> variant 12x8+0_fairy
< tellusererror variant 12x8+0_fairy: a board of 12x8 is not supported, expected 4 to 11 files and ranks
> variant 10x8+5_capablanca
< tellusererror variant 10x8+5_capablanca: captured pieces cannot return to the board
> variant 9x9+0_xiangqi
< tellusererror the rules of xiangqi are for a board of 9x10
> quit
% exit 0
