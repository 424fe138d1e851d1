# Unusual men: their moves are told, and a move that breaks them is refused with the reason.
$ -xboard KL.K
> xboard
> protover 2
< ...
< feature done=1
> new
> variant fairy
< setup *
< piece L& *
> force
> nopost
> setboard 8/8/8/3k4/8/8/1L6/K7 w - - 0 1
> usermove b2b5
< Illegal move (the L on b2 cannot go there): b2b5
> usermove d5d4
< Illegal move (no piece of white stands on d5): d5d4
> setboard 8/8/8/3k4/8/8/8/8 w - - 0 1
> go
< tellusererror Illegal position: white has no royal 'K'
> quit
% exit 0
