# Without UCI_Chess960 a king castles as in standard chess only; rights of other squares are dropped, which is said once.
> uci
< ...
< uciok
> position fen r1bq1k1r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPPQPPP/R1B2K1R w KQkq - 0 1
< info string castling rights of the rooks on a1, h1, a8 and h8 dropped: * (for Chess960 set UCI_Chess960 to true)
> go perft 1
! f1h1: 1
< ...
< Nodes searched: 36
< ...
> position fen r1bq1k1r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPPQPPP/R1B2K1R w KQkq - 0 1 moves d2d3
> go depth 6
! info string *
< ...
< bestmove {move}
> position fen r1bq1k1r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPPQPPP/R1B2K1R w KQkq - 0 1 moves f1h1
< info string illegal move f1h1 (castling is not possible now) is ignored
> position fen 4k3/8/8/8/8/8/8/R5K1 w Q - 0 1
< info string castling right of the rook on a1 dropped: *
> go perft 1
! g1a1: 1
< ...
< Nodes searched: 17
< ...
> position fen r5k1/8/8/8/8/8/8/4K3 b q - 0 1
< info string castling right of the rook on a8 dropped: *
> go perft 1
< ...
< Nodes searched: 17
< ...
> position fen 4k3/8/8/8/8/8/8/RN2K1R1 w KQ - 0 1
< info string castling right of the rook on g1 dropped: *
> go perft 1
! e1g1: 1
< ...
< Nodes searched: 24
< ...
> position fen nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 3
< info string castling rights of the rooks on b1, h1, b8 and h8 dropped: *
> go perft 1
! c1b1: 1
< ...
< Nodes searched: 28
< ...
> quit
% exit 0
