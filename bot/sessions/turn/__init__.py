"""The run of an accepted turn, and how the turn ends for its person."""
