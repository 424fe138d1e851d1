# Without an endgame the GUI gets the initial position, with all fields of a FEN.
$ xboard
> xboard
> protover 2
< ...
< feature done=1
> new
> variant gardner
< setup (PNBRQ*Kpnbrq*k) 5x5+0_fairy rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1
< piece P& *
> quit
