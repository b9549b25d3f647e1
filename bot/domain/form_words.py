"""The words of the form of `/skill new`."""

from bot.domain.languages import Phrase

TITLE = Phrase("A new skill")
NAME = Phrase("Name")
NAME_HINT = Phrase("Such as weekly_report")
STEPS = Phrase("What to do")
STEPS_HINT = Phrase("The steps, one a line")
COMMAND = Phrase("Command")
COMMAND_HINT = Phrase("What follows the slash; nothing: the name")
WHEN = Phrase("When to use it")
WHEN_HINT = Phrase("A sentence; needed where it is used by itself")
BY_MYSELF = Phrase("May I use it by myself?")
BY_MYSELF_HINT = Phrase("no: only the command runs it")
NO = Phrase("no", context="button")
YES = Phrase("yes", context="button")
