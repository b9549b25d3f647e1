"""How far each place was read, in memory, for adapters without an app behind them."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.domain.chat import RecordedMessage, Recovered
from bot.domain.messages import Conversation, Heard, IncomingMessage, MessageKind


@dataclass
class FakeRecovery:
    """Implements `domain.chat.Recovery`; `note` does what the Router does on acceptance."""

    messages: int = 50
    since: datetime = datetime(2000, 1, 1, tzinfo=UTC)
    marks: dict[str, Heard] = field(default_factory=dict[str, Heard])
    told: list[Conversation] = field(default_factory=list[Conversation])
    recorded: dict[str, list[RecordedMessage]] = field(
        default_factory=dict[str, list[RecordedMessage]]
    )
    floors: dict[str, datetime] = field(default_factory=dict[str, datetime])
    finished: int = 0

    def note(self, message: IncomingMessage) -> None:
        if message.heard is not None:
            self._mark(message.heard)
            if message.kind is MessageKind.TEXT:
                recorded = self.recorded.setdefault(message.heard.place.key, [])
                recorded.append(RecordedMessage(message.key, message.sent_at))
        if message.kind is MessageKind.DELETE:
            gone = message.key.split(":", 1)[1].rsplit(":", 1)[0]
            self.recorded = {
                place: [one for one in kept if one.key != gone]
                for place, kept in self.recorded.items()
            }

    def _mark(self, heard: Heard) -> None:
        known = self.marks.get(heard.place.key)
        newer = known is None or (len(heard.position), heard.position) > (
            len(known.position),
            known.position,
        )
        if newer:
            self.marks[heard.place.key] = heard

    async def begin(self, line: str) -> Recovered:
        marks = tuple(sorted(self.marks.values(), key=lambda heard: heard.at, reverse=True))
        if marks:
            self.floors.setdefault(line, marks[0].at)
        return Recovered(marks, self.floors.get(line), self.messages, self.since)

    async def kept(self, place: Conversation, since: datetime, most: int) -> list[RecordedMessage]:
        return (
            [one for one in self.recorded.get(place.key, []) if one.at >= since][-most:]
            if most
            else []
        )

    async def reached(self, heard: Heard) -> None:
        self._mark(heard)

    async def tell(self, place: Conversation) -> None:
        self.told.append(place)

    async def finish(self, line: str) -> None:
        self.floors.pop(line, None)
        self.finished += 1
