"""Learning beside the turns: summaries, distillation, passes over memory, recurring work."""
