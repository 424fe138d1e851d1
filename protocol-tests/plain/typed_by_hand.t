# Without a protocol the answers are for people.
> position startpos moves e2e4
> go depth 2
<   1  * 1... *
< ...
< bestmove {move}
> foo
< unknown command: foo (try help)
> help
< commands:
< ...
<   help [DOMAIN [VERB]] | options | compiler | license | quit
< ...
<   steno Steno-Chess: solve, *
> help steno convert
< steno convert *
< ...
< Example: steno convert --to pgn -- 'ghLxLR3xo#'
> license
< Umbrail is free software: *
< ...
< https://www.gnu.org/licenses/, has the terms.
> isready
< readyok
> quit
% exit 0
