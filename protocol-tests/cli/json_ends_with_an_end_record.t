# Scripts read one object per line, the last of kind `end`.
$ perft 1 --json --fen "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
< {"t":"branch","move":"*","nodes":1}
< ...
< {"t":"end","depth":1,"nodes":5,"elapsed_ms":{int},"status":"complete"}
% exit 0
