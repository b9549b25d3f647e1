"""Server-sent events, read from bytes as they arrive."""

import json
from typing import NamedTuple

from bot.domain.json_types import as_object


class ServerEvent(NamedTuple):
    """One event with its name."""

    name: str
    data: str


class EventStreamReader:
    """Cuts an event stream into events, wherever its pieces were cut.

    An event whose name is missing or was garbled has that of its JSON's `type`; without one it is
    skipped. An incomplete event at the end is dropped.

    Raises UnicodeDecodeError for bytes that are not UTF-8.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> list[ServerEvent]:
        """The events that end within `piece`."""
        read = self._rest + piece
        # A carriage return at the end may be the first half of a line's end.
        whole = max(read.rfind(b"\n"), read.rfind(b"\r", 0, -1)) + 1
        self._rest = read[whole:]
        events: list[ServerEvent] = []
        for line in _lines(read[:whole].decode()):
            field, _, value = line.partition(":")
            if field == "data":
                self._data.append(value.removeprefix(" "))
            elif field == "event":
                self._name = value.removeprefix(" ")
            elif not line:
                data = "\n".join(self._data)
                if name := self._name or _type_of(data):
                    events.append(ServerEvent(name, data))
                self._name, self._data = "", []
        return events


def _type_of(data: str) -> str:
    try:
        return str(as_object(json.loads(data)).get("type") or "") if data else ""
    except (ValueError, RecursionError):
        return ""


def _lines(text: str) -> list[str]:
    """The lines of a text that ends with an end of line. `str.splitlines` knows more such ends."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    lines.pop()
    return lines
