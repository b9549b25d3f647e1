"""The swarm: a queen has ants work on one project, and takes only work that was verified."""
