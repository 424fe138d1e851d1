# A person at a shell reads sentences, no records.
$ steno solve "e4~~~#"
! start id *
! done id *
< ...
< no game*
% exit 0
