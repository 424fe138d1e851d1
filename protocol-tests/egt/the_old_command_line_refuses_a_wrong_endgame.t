# The old command line, too, names what is wrong before any work begins.
$ 3men KQ.kr
% exit 2
