# Without fastchess there is no match; the message goes to standard error.
$ lab sprt --xp 3 --fastchess no/such/fastchess --out lab-missing
% exit 2
