"""Distillation: which parts of summaries enter which tier of memory."""
