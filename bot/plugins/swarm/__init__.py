"""The swarm: a queen has ants work on one project, and accepts only verified work."""
