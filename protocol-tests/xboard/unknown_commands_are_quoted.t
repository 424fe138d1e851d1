# Errors quote the command and nothing else; phrases that xboard misreads change the case of a letter.
> xboard
> protover 2
< ...
< feature done=1
> frobnicate 12
< Error (unknown command): frobnicate 12
> setscore No such file
< Error (unknown command): setscore no such file
> option Hash=abc
< Error (bad value): option Hash=abc
< # Hash must be 1..1048576, got abc
> option Hush=1
< Error (unknown option): option Hush=1
< # no option is called "Hush", did you mean Hash
> variant shogi
< Error (bad arguments): variant shogi
< # *
> bk
<  no book
<
> quit
% exit 0
