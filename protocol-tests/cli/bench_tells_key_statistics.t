# One line for scripts, with what the table and the first move were good for.
$ bench --depth 4 --json
< ...
< {"t":"end","nodes":{int},"elapsed_ms":{int},"nps":{int},"tt_hit_percent":*,"fail_high_percent":*,"first_fail_high_percent":*,"status":"complete"}
% exit 0
