# So do the rooms.
$ spg solve --moves 23.0
% exit 2
