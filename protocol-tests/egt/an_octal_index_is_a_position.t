# At the end of the input the table is still built and the position answered.
$ 3men KR.K
> 520170
> ^D
< ...
< *620170 mate in *
< ...
< move *
% exit 0
