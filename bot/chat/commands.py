"""The one command parser: `/name args` and `!name args`, for every platform.

See docs/rules.md#commands.
"""

import re

from bot.domain.messages import Command

_COMMAND = re.compile(r"[/!](?P<name>[A-Za-z0-9_-]{1,32})(?:\s+(?P<args>.*))?", re.DOTALL)


def parse_command(text: str) -> Command | None:
    """Read a command from a message whose mention of the bot, if any, was already stripped.

    A name ends at white space or at the end, so paths (`/documents/x.md`), `//text` and a lone `/`
    stay text.
    """
    match = _COMMAND.fullmatch(text.strip())
    if match is None:
        return None
    return Command(match["name"].lower(), (match["args"] or "").strip())
