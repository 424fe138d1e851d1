# `new` comes before every board that xboard sets up; options and paths outlive it.
> xboard
> protover 2
< ...
< feature done=1
> egtpath syzygy some/folder with blanks
> memory 40
> cores 2
> new
> options
< # Hash = 32  (1..1048576; *)
< # Threads = 2  *
< ...
< # Log File = <empty>  *
> quit
% exit 0
