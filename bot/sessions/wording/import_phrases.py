"""What `/tools` and `/skills import` say beside what the desk says."""

from bot.domain.languages import Phrase

TOOLS_HOW = Phrase(
    "`/tools staged [NAME]` shows what waits, with its files and findings. `/tools approve NAME`"
    " makes live what you were shown, `/tools reject NAME` deletes it, `/tools remove NAME` removes"
    " a live one."
)
TOOLS_FOR_ADMINS = Phrase(
    "Deciding about tools is for a MasterAdmin. Ask me what I can do for you here."
)
ATTACH = Phrase(
    "Attach the skill to the message: a SKILL.md, another .md, a JSON export or a zip archive."
)
THEN_DECIDE = Phrase("`/skills approve NAME` makes it live, `/skills reject NAME` deletes it.")
SHOWS_ALL = Phrase("… (`bellhop skills staged` shows all)")
NOT_SHOWN = Phrase(
    "{count} more characters are not shown here. `bellhop tools staged {name}` shows all, and"
    " `/tools approve {name} {content}` then makes exactly this live."
)
WOULD_BE_LIVE = Phrase("This is what would be live. `/tools approve {name}` makes it so.")
DELETED = Phrase("{name} was deleted.")
NOT_LIVE_ANY_MORE = Phrase("{name} is not live any more.")
