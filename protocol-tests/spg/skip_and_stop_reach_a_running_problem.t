# A strategy can be dropped and the run be ended while it goes on; the answer is then partial. What was
# asked behind it waits, and is ended as well.
$ uci
> spg skip
< info string spg error text nothing runs that could skip a part
> spg solve moves 30.0 fen rnbqkb1r/1p3ppp/p2p4/4p3/2P1P3/P1N5/1P3PPP/R1BQKB1R
< info string spg start id {int}
~ 300 ms
> isready
< ...
< readyok
> spg skip
> spg solve moves 3.0
> spg stop
< ...
< info string spg done id {int} status stopped *
@ within 8000 ms
< info string spg start id {int}
< ...
< info string spg done id {int} status *
> quit
% exit 0
