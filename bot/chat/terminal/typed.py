"""Cleans typed input: readable text, folded pastes, picks of numbered options."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.chat.terminal.view import Option
from bot.domain.messages import Choice

MAX_CHARACTERS = 400_000
"""Longest message that is passed on."""
FOLDED_CHARACTERS = 1500
FOLDED_LINES = 12
"""The prompt shows a longer paste as `[paste 1: 340 lines]`."""


def readable(text: str) -> str:
    """Text that can be stored and sent: invalid UTF-8 becomes U+FFFD, NUL is removed."""
    raw = (
        text.encode("utf-8", errors="surrogateescape")
        if _only_escapes(text)
        else text.encode("utf-8", "replace")
    )
    return raw.decode("utf-8", errors="replace").replace("\x00", "")


def _only_escapes(text: str) -> bool:
    """Whether every lone surrogate stands for one undecodable byte (PEP 383)."""
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in text)


@dataclass
class OpenChoices:
    """The numbered options on the screen that can still be picked.

    Numbers continue over several messages, so that each is unique. They restart at 1 after the
    person's next other message.
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
        """Take the choice with this number; the other choices of its message are then closed."""
        stripped = text.strip()
        if not (stripped.isascii() and stripped.isdigit() and len(stripped) <= 4):
            return None
        chosen = self._choices.get(int(stripped))
        if chosen is not None:
            self._choices = {
                n: choice for n, choice in self._choices.items() if choice.ref != chosen.ref
            }
            self._last = max(self._choices, default=0)
        return chosen

    def withdraw(self, choices: Sequence[Choice]) -> bool:
        """Close these choices; returns whether any of them was open."""
        refs = {choice.ref for choice in choices}
        left = {n: choice for n, choice in self._choices.items() if choice.ref not in refs}
        could, self._choices = len(left) < len(self._choices), left
        return could

    def said_more(self) -> None:
        """Something else was shown below: a bare number may answer that, so it approves nothing."""
        self._choices = {
            number: choice
            for number, choice in self._choices.items()
            if not choice.verb.startswith("approve")
        }

    def clear(self) -> None:
        self._choices.clear()
        self._last = 0


class Pastes:
    """Long pastes that the prompt shows as placeholders."""

    _MARK = re.compile(r"\[paste (\d+): [\d,]+ (?:lines|characters)\]")

    def __init__(self) -> None:
        self._texts: list[str] = []

    def fold(self, text: str) -> str:
        lines = text.count("\n") + 1
        if len(text) <= FOLDED_CHARACTERS and lines <= FOLDED_LINES:
            return text
        self._texts.append(text)
        size = f"{lines:,} lines" if lines > FOLDED_LINES else f"{len(text):,} characters"
        return f"[paste {len(self._texts)}: {size}]"

    def unfold(self, text: str) -> str:
        def full(match: re.Match[str]) -> str:
            number = int(match[1])
            return self._texts[number - 1] if 1 <= number <= len(self._texts) else match[0]

        unfolded = self._MARK.sub(full, text)
        self._texts.clear()
        return unfolded
