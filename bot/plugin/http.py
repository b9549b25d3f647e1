"""For plug-ins that a service calls: paths on the HTTP server."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.json_types import JsonObject

Receive: TypeAlias = Callable[[str, Mapping[str, str], bytes], Awaitable[tuple[int, JsonObject]]]
"""Takes a POST: the `ref` of its path, its headers (in whatever case), its body.

Gives the status and the answer. It finds out itself who calls, such as by a signature.
"""


@dataclass(frozen=True)
class Receiver:
    """A path with `{ref}` that takes POST bodies: its handler, and their limit in bytes."""

    path: str
    receive: Receive
    most: int
