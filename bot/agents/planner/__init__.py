"""The planner: a plan of several tasks, run by specialists, repaired where it fails."""
