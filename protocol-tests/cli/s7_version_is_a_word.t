# `umbrail version` is understood like `--version`.
$ version
< umbrail *
% exit 0
