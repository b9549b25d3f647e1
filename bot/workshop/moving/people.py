"""Accounts in the allow-lists of other assistants."""

import re
from typing import Any

from bot.workshop.importing.findings import shown
from bot.workshop.moving.foreign_home import word
from bot.workshop.moving.found import FoundHome, FoundPerson

ALLOWED = frozenset({"allowFrom", "allow_from", "groupAllowFrom", "group_allow_from", "users"})
_IDS = {
    "discord": re.compile(r"\d{15,20}"),
    "slack": re.compile(r"[UW][A-Z0-9]{6,}"),
    "telegram": re.compile(r"[1-9]\d{3,14}"),
}
PLATFORMS = tuple(_IDS)
_DRESSED = re.compile(r"(?:discord|slack|telegram|tg|user):|<@!?|>", re.IGNORECASE)
NAME_CHARS = 60


def take_person(
    found: FoundHome, platform: str, given: Any, name: str, where: str, team: str
) -> None:
    """Add an account. `team`: the Slack workspace, without which no id there is one."""
    text = word(given)
    id_ = _DRESSED.sub("", text).partition("|")[0].strip()
    if text == "*":
        found.leave(f"“*” in {where}", "everybody may write here anyway, as a Guest")
    elif not text:
        return
    elif not _IDS[platform].fullmatch(id_):
        found.leave(
            f"{shown(text, 60)} in {where}", f"it is no id on {platform.title()}, and names change"
        )
    elif platform == "slack" and not team:
        found.leave(f"{id_} in {where}", "which workspace? Give --slack-team T0123ABCD")
    else:
        key = f"{team}:{id_}" if platform == "slack" else id_
        before = found.people.get((platform, key))
        known = " ".join(shown(name, NAME_CHARS).split()) or (before.name if before else "")
        found.people[platform, key] = FoundPerson(platform, key, known)
