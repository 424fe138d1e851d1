# In the variant normal a king castles from e1 or e8 only; rights of other squares are dropped, which is said once.
> xboard
> protover 2
< ...
< feature done=1
> force
> setboard r1bq1k1r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPPQPPP/R1B2K1R w KQkq - 0 1
< telluser castling rights of the rooks on a1, h1, a8 and h8 dropped: * (for Chess960 choose the variant fischerandom)
> setboard r1bq1k1r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPPQPPP/R1B2K1R w KQkq - 0 1
! telluser *
> usermove O-O
< Illegal move (*castling*): O-O
> usermove f1h1
< Illegal move (castling is not possible now): f1h1
> perft 1
! # f1h1: 1
< ...
< # Nodes searched: 36
< ...
> new
> variant fischerandom
> force
> setboard r1bq1k1r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPPQPPP/R1B2K1R w KQkq - 0 1
> usermove O-O
! Illegal*
> d
< ...
< # Fen: r1bq1k1r/ppppbppp/2n2n2/4p3/2B1P3/2N2N2/PPPPQPPP/R1B2RK1 b kq - 1 1
< ...
> quit
% exit 0
