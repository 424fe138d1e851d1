# `umbrail help` and `umbrail help bench` are understood.
$ help bench
< Search fixed positions*
< ...
% exit 0
