# The log file is written where it was asked for, and nothing of it reaches standard output.
$ --log talk.log
> setoption name Log File value other.log
> isready
< readyok
! *
> quit
% exit 0
