# A limit without its number is refused.
$ go depth
! bestmove *
% exit 2
