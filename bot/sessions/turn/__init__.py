"""What the engine runs for an accepted turn, and how a turn ends for its person."""
