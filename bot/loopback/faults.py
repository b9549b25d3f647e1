"""Ways in which platforms fail alike, each as the client sees it on the wire."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reset:
    """The connection is reset before anything is processed. `then` is called at that moment."""

    then: Callable[[], None] = field(default=lambda: None, repr=False)


@dataclass(frozen=True)
class CutAfter:
    """The call is processed, and then the connection is cut: the client can't know.

    `then` is called at that moment.
    """

    then: Callable[[], None] = field(default=lambda: None, repr=False)


@dataclass(frozen=True)
class Delay:
    """The answer comes only once `go` is set."""

    go: asyncio.Event
