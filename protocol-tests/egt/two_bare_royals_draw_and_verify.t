# The one-ply verifier and the table agree that two bare royals draw.
$ egt verify K.K --bare 1
< {int} positions of K.K checked: all are right
< time * s
% exit 0
