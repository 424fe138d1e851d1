# An unknown word of `go` would make the search endless: it is refused.
$ go deth 5
! bestmove *
% exit 2
