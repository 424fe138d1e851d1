# One line for scripts, with what the table and the first move were good for.
$ bench --depth 4 --json
< ...
< {"t":"end","nodes":{int},"ms":{int},"nps":{int},"tt_hit":*,"fail_high":*,"first_fail_high":*,"complete":true}
% exit 0
