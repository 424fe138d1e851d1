# Whatever the variant before, a board that was edited in the variant normal has castling from e1 and e8 only.
> xboard
> protover 2
< ...
< feature done=1
> variant fischerandom
> force
> setboard 4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1
> new
> force
> edit
> #
> Kf1
> Ra1
> Rh1
> c
> Ke8
> Rh8
> .
> d
< ...
< # Fen: 4k2r/8/8/8/8/8/8/R4K1R w k - 0 1
< ...
> quit
% exit 0
