# Comments, blank lines, a stray protocol word, an unknown word before a command.
> uci
< ...
< uciok
> # a comment
>
> position startpos
> xboard
< info string unknown command: xboard
> joho isready
< readyok
> 	 isready 	
< readyok
> quit
% exit 0
