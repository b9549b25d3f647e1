"""For dates and times in people's words, and on the clocks of the person of a call."""

from bot.connectors.due_dates import due_in_words, local, parse_due, show_due

__all__ = ["due_in_words", "local", "parse_due", "show_due"]
