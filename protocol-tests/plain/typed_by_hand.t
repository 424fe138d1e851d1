# Without a protocol the answers are for people.
> d
< ...
< Checkers:
> position startpos moves e2e4
> go depth 2
<   1  * 1... *
< ...
< bestmove {move}
> foo
< unknown command: foo (try help)
> e7e5
< e7e5 is a move: try position startpos moves e7e5, or xboard to play a game by moves
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
