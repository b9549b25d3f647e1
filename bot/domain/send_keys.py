"""Keys of sends, `<turn>/<step>@<identity>`: stable, and unique to the database."""

import re

_IDENTITY = re.compile(r"@([0-9a-f]{12})$")


def send_key(turn: str, step: str, identity: str) -> str:
    """The key of one send.

    `turn`: its reference; `identity`: 12 hex digits, or empty as in keys of old versions.
    """
    return f"{turn}/{step}@{identity}" if identity else f"{turn}/{step}"


def turn_of(key: str) -> str:
    """The reference of the turn that a send belongs to."""
    return key.partition("/")[0]


def step_of(key: str) -> str:
    """The key without its identity: the turn and the step."""
    return _IDENTITY.sub("", key)


def step_in(key: str) -> str:
    """The journal key of the step that sent it."""
    return step_of(key).partition("/")[2]


def sibling_key(key: str, step: str) -> str:
    """The key of another send of the same turn."""
    return send_key(turn_of(key), step, _identity(key))


def draft_key(key: str) -> str:
    """The key of the drafts of its turn: the turn and the identity."""
    identity = _identity(key)
    return f"{turn_of(key)}@{identity}" if identity else turn_of(key)


def _identity(key: str) -> str:
    found = _IDENTITY.search(key)
    return found[1] if found else ""
