# With one thread, a forgotten search repeats itself to the node.
$ --set Hash=2 uci
> go nodes 20000
< ...
< bestmove {move}
> setoption name Clear Hash
> go depth 5
< ...
< bestmove {move}
> ucinewgame
> isready
< readyok
> quit
% exit 0
