"""One run: the loop, its rounds, single calls and their records."""
