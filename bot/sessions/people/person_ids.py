"""Ids of people: opaque ones for new contacts, and those that platform accounts have by themselves.

No id is made of a name, because strangers choose their names. See docs/security.md#between-people.
"""

import re
import secrets
from collections.abc import Collection, Iterable, Mapping

from bot.domain.platforms import KnownPlatforms

TERMINAL = "terminal"
GENERATED = re.compile(r"p-[a-z2-7]{12}", re.IGNORECASE)
"""The form of ids that Bellhop makes; nobody writes one by hand."""
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_CHARS = 12


def new_person_id(taken: Collection[str]) -> str:
    """An id that nobody has. `taken`: all ids that anybody ever had, casefolded."""
    while True:
        made = "p-" + "".join(secrets.choice(_ALPHABET) for _ in range(_CHARS))
        if made not in taken:
            return made


def slug(name: str) -> str:
    """A name of the system as a part of an id: `Ann Lee` gives `ann-lee`."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:48] or "person"


def at_terminal(name: str) -> str:
    """The person id of a terminal user whom contacts.yaml doesn't name."""
    return f"{TERMINAL}-local-{slug(name)}"


def ids_of_accounts(
    ids: Mapping[str, Iterable[str]], platforms: KnownPlatforms
) -> Mapping[tuple[str, str], str]:
    """The person id that each account has by itself, by platform and id as in contacts.yaml."""
    found: dict[tuple[str, str], str] = {}
    for platform, written in ids.items():
        traits = platforms[platform]
        for one in written:
            account = traits.account(one)
            found[platform, one] = (
                at_terminal(one)
                if platform == TERMINAL
                else traits.person_id(account.workspace, account.id)
            )
    return found


def reserved_for(id_: str, platforms: KnownPlatforms) -> str | None:
    """The platform whose accounts have ids of this form; None for any other id."""
    folded = id_.casefold()
    return next((one.name for one in platforms if folded.startswith(f"{one.name}-")), None)
