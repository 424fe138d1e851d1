# The handshake, as xboard writes it.
> xboard
> protover 2
< feature done=0
< feature ping=1 setboard=1 usermove=1 playother=1 san=0 colors=0 sigint=0 *
< feature time=1 *
< feature myname="Umbrail *" egt="syzygy"
< feature variants="normal,fischerandom,fairy,cylinder,capablanca,*,xiangqi,5x5+0_fairy,*,11x11+0_fairy"
< feature option="Hash -spin 16 1 1048576"
< ...
< feature done=1
> accepted ping
> rejected setscore
> ping 7
< pong 7
> quit
% exit 0
