# As is a table that could not be built.
$ egt build KQQQ.KRR
% exit 2
