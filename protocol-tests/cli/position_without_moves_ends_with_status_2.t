# A move that does not follow the word `moves` is refused.
$ position startpos e2e4
! Fen: *
% exit 2
