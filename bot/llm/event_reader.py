"""Server-sent events from bytes as they arrive: the reading half of `bot.llm.sse`."""

from collections.abc import Iterator

from bot.lazy_dataclass import dataclass


@dataclass(frozen=True)
class ServerEvent:
    """One event with a name; the Messages API has no events without one."""

    name: str
    data: str


class EventStreamReader:
    """Cuts an event stream into events, wherever its pieces were cut.

    An incomplete event at the end is dropped. Raises UnicodeDecodeError for bytes that are not
    UTF-8.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._name = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[ServerEvent]:
        """Yield the events that end within `piece`."""
        read = self._rest + piece
        # A carriage return at the end may be the first half of a line's end.
        whole = max(read.rfind(b"\n"), read.rfind(b"\r", 0, -1)) + 1
        self._rest = read[whole:]
        for line in read[:whole].splitlines():
            if line:
                self._take(line.decode())
            elif event := self._ended():
                yield event

    def _take(self, line: str) -> None:
        field, _, value = line.partition(":")
        if field == "data":
            self._data.append(value.removeprefix(" "))
        elif field == "event":
            self._name = value.removeprefix(" ")

    def _ended(self) -> ServerEvent | None:
        name, data = self._name, "\n".join(self._data)
        self._name, self._data = "", []
        return ServerEvent(name, data) if name else None
