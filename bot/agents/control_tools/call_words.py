"""What calls of `send` and `schedule_task` do, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

POST = Phrase("have this posted to {to}: {text}")
POST_FILE = Phrase("have this posted to {to} with the file {file}: {text}")
AGAIN = Phrase("have this done again and again, {repeat}, first on {at}: {what}")
ONCE = Phrase("have this done once, on {at}: {what}")
CHANGES: Mapping[str, Phrase] = {
    "list": Phrase("list the schedule {name}: {what}"),
    "inspect": Phrase("inspect the schedule {name}: {what}"),
    "pause": Phrase("pause the schedule {name}: {what}"),
    "resume": Phrase("resume the schedule {name}: {what}"),
    "cancel": Phrase("cancel the schedule {name}: {what}"),
}
"""By what is done with a schedule."""
