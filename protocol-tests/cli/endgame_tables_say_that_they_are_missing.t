# The old command line has its seat; until the tables are there it says so.
$ -xboard -m KQ.KR
% exit 2
