# XBoard says the same words as remarks.
$ xboard
> xboard
> protover 2
< ...
< feature *done=1
> spg solve moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R
< ...
< # spg done id {int} status complete verdict unique count 1 *
> spg explain moves 1.5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R
< ...
< # spg done id {int} status complete enumerated 1 left 1 *
> spg skip
< ...
< *spg error text nothing runs that could skip a part
> quit
% exit 0
