"""What a person typed, made fit to travel: readable text, picks of numbered options."""

from dataclasses import dataclass, field

from bot.chat.terminal.view import Option
from bot.domain.messages import Choice

MAX_CHARACTERS = 400_000
"""Longest message that is passed on."""


def readable(text: str) -> str:
    """Text that can be stored and sent: what wasn't valid UTF-8 becomes U+FFFD, NUL characters go."""
    raw = text.encode("utf-8", errors="surrogateescape") if _only_escapes(text) else text.encode("utf-8", "replace")
    return raw.decode("utf-8", errors="replace").replace("\x00", "")


def _only_escapes(text: str) -> bool:
    """Whether every lone surrogate stands for one undecodable byte (PEP 383)."""
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in text)


@dataclass
class OpenChoices:
    """The numbered options on the screen that can still be picked.

    Numbers go on over several messages, so that each number means one thing; they start again at 1 once the
    person has said something else.
    """

    _choices: dict[int, Choice] = field(default_factory=dict[int, Choice])
    _last: int = 0

    def offer(self, choices: tuple[Choice, ...]) -> tuple[Option, ...]:
        """Number these choices for the screen."""
        options: list[Option] = []
        for choice in choices:
            self._last += 1
            self._choices[self._last] = choice
            options.append(Option(self._last, choice.label))
        return tuple(options)

    def pick(self, text: str) -> Choice | None:
        """The choice that this text names by number; the other choices of the same message are then gone."""
        stripped = text.strip()
        if not (stripped.isascii() and stripped.isdigit() and len(stripped) <= 4):
            return None
        chosen = self._choices.get(int(stripped))
        if chosen is not None:
            self._choices = {n: choice for n, choice in self._choices.items() if choice.ref != chosen.ref}
            self._last = max(self._choices, default=0)
        return chosen

    def clear(self) -> None:
        self._choices.clear()
        self._last = 0
