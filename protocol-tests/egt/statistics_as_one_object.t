# With --json there is one object, and nothing around it.
$ egt stats KR.K --metric dtm --json
< {"t":"statistics","material":"KR.K","metric":"dtm","max":{"wtm_win":31,"btm_loss":32,"btm_win":0,"wtm_loss":0},*}
! *
% exit 0
