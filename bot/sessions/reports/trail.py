"""The trail of one message, from its event to the last send: what `/why` is told from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.approvals import Approval
from bot.domain.cycles import CycleEvent
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.turns import TurnRecord
from bot.log import redact
from bot.sessions.outbox.outbox_store import KeptSend

TRIES = CountedPhrase(Phrase("{count} try"), Phrase("{count} tries"))
ERROR_CHARS = 200


@dataclass(frozen=True)
class Trail:
    """All rows about one piece of work, and the reader."""

    ref: str
    record: TurnRecord | None
    """None if the turn was purged; the cycle log outlives it."""
    events: Sequence[CycleEvent]
    sends: Mapping[str, KeptSend] = field(default_factory=dict[str, KeptSend])
    approvals: Sequence[tuple[Approval, str | None]] = ()
    """Contains the reference of the turn that the decision started."""
    running: bool = False
    own: bool = True
    """Whether the reader sent the message: only the sender sees its words."""
    operator: bool = False
    """Whether the reader may see every error's text and every tool's name."""
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    """File and line of the rules that decided, by their names."""
    taken_by: "Trail | None" = None
    """The turn that took it as steering, asked its question, or was started by its command."""
    language: Language = Language.EN
    """That of the reader."""

    def said(self, phrase: Phrase, **parts: object) -> str:
        return phrase.said(self.language, **parts)

    def source_of(self, rule: str) -> str:
        """File and line of a rule, in brackets; empty for the house's own."""
        source = self.sources.get(rule, "")
        return f" ({source})" if source else ""

    def at(self, moment: datetime | None, record: TurnRecord) -> str:
        """The time alone, on the day of acceptance."""
        if moment is None:
            return ""
        time, day = f"{moment:%H:%M:%S}", moment.date()
        if day == record.accepted_at.date():
            return self.said(Phrase("at {time}"), time=time)
        return self.said(Phrase("on {day} at {time}"), day=f"{day:%Y-%m-%d}", time=time)


def cut(text: str, chars: int) -> str:
    """One line of a text that others wrote, without secrets."""
    folded = " ".join(redact(text).split()).replace("`", "'")
    return folded if len(folded) <= chars else folded[: chars - 1] + "…"
