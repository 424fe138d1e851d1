# And options.
$ --set Hash=0 uci
% exit 2
