"""Checks of a Discord token without a call to Discord."""

import re

_REMEDY = "take the one from the Discord Developer Portal, Bot, Reset Token"
_WRONG_KINDS = (
    (re.compile(r"Bot\s.*", re.IGNORECASE), "has the word Bot in front; leave that out"),
    (re.compile(r".*\s.*", re.DOTALL), f"has a space in it; {_REMEDY}"),
    (re.compile(r"\d+"), f"is an application id; {_REMEDY}"),
    (re.compile(r"[0-9a-f]{64}"), f"is a public key; {_REMEDY}"),
    (re.compile(r"[\w-]{32}"), f"is a client secret; {_REMEDY}"),
)


def token_problem(token: str | None) -> str | None:
    """Why DISCORD_TOKEN can't be a bot's token, with the remedy; None if it may be one."""
    if not token:
        return f"DISCORD_TOKEN is missing; {_REMEDY}, and put it into .env"
    return next(
        (f"DISCORD_TOKEN {what}" for kind, what in _WRONG_KINDS if kind.fullmatch(token)), None
    )
