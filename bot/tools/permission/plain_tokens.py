"""The words and signs of a sentence, and where the thing stands that an order acts on."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.domain.targets import Target
from bot.tools.permission import clause_words as lists
from bot.tools.permission import plain_words as plain
from bot.tools.permission.act_words import ACTS
from bot.tools.permission.clauses import masked, ordered
from bot.tools.permission.naming import dated, dates_in
from bot.tools.permission.provenance_words import spans_of, words_of
from bot.tools.text.stemming import stem

_TOKEN = re.compile(
    r"¤+|[\w-]+\.[A-Za-z]\w{1,4}\b|\w*_\w*|[^\W\d_]+\d\w*|\d+(?:[.:,/-]\d+)*"
    r"|(?<![^\W\d_])(?:qu|[cdjlmnst])['\u2019](?=[^\W\d_])"
    r"|[^\W\d_]+(?:['\u2019][^\W\d_]+)*(?:(?<=[sxz])['\u2019]|(?<=\b[Dd]i)['\u2019])?"
    r"|\s-+>?\s|(?<=\w)-(?=\w)|\S"
)
_BREAKS = frozenset([",", ";", "\u2014", "\u2013", "-"])


@dataclass(frozen=True)
class Thing:
    """What an order acts on, as it may stand in a text."""

    target: Target | None = None
    """A typed target."""
    stems: frozenset[str] = frozenset()
    """The telling words of a record."""
    names: tuple[str, ...] = ()
    """Its whole names, and its id."""
    nouns: frozenset[str] = frozenset()
    """What things of its kind are called."""
    kinds: frozenset[str] = frozenset()
    """Of these, those that say its kind alone, and no word of its name."""
    person: bool = False
    """Whether it is a mail, whose sender can be "him"."""

    @property
    def known(self) -> bool:
        return self.target is not None or bool(self.names)

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where it stands in a text, whole."""
        if self.target is None:
            days = {day for name in self.names for day in dates_in(name)}
            return [
                *(span for day, span in dated(text) if day in days),
                *(
                    found.span()
                    for name in self.names
                    if name.strip()
                    for found in re.finditer(
                        rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE
                    )
                ),
            ]
        return [
            (start, start + len(text[start:end].rstrip(".,;:!?")))
            for start, end in spans_of(text, self.target.kind)
            if words_of(text[start:end]).name(self.target)
            or text[start:end].strip("#@\"'`") == self.target.value
        ]


@dataclass(frozen=True)
class Token:
    text: str
    kind: str
    """`word`, `thing`, `opaque`, `number` or `sign`."""
    capital: bool = False
    raw: str = ""


def segments_of(tokens: Sequence[Token]) -> Iterator[tuple[bool, list[Token]]]:
    """The parts between commas and before a second verb, each with whether an "and" joins it.

    A colon begins the last one, unless only the thing stands before it: "WEB-412: add …".
    """
    part: list[Token] = []
    joined = broken = False
    for at, token in enumerate(tokens):
        if token.text == ":" and not (at < len(tokens) - 1 and is_topic(tokens[:at])):
            yield joined, part
            yield False, list(tokens[at:])
            return
        if token.text == ":" or (token.kind == "sign" and token.text in _BREAKS):
            yield joined, part
            part, joined, broken = [], False, True
            continue
        following = [one.text for one in tokens[at + 1 : at + 8]]
        if token.text in lists.JOINING and following and _begins(following):
            yield joined, part
            part, joined = [], not broken
        part.append(token)
        broken = False
    yield joined, part


def is_topic(before: Sequence[Token]) -> bool:
    around = plain.ABOUT | plain.DETERMINERS | lists.TOWARDS | lists.LABELS
    if before and before[0].text in ACTS:
        return False
    return any(one.kind == "thing" for one in before) and all(
        one.kind in {"thing", "opaque"} or one.text in around for one in before
    )


def _begins(words: Sequence[str]) -> bool:
    return words[0] in lists.LOOKING or bool(ordered(words, last=False)[0])


def tokens_of(text: str, thing: Thing) -> list[Token]:
    """The words and signs of a sentence; brackets around an address mean nothing."""
    dark = masked(text)
    places = thing.places(text)
    found: list[Token] = []
    for start, end in places:
        dark = f"{dark[:start]}{'¤' * (end - start)}{dark[end:]}"
    for match in _TOKEN.finditer(dark):
        said = match[0].strip()
        low = said.lower().replace("\u2019", "'")
        if not said or (said == "-" and match.start() and match[0] == "-" and _within(dark, match)):
            continue
        inside = any(match.start() < end and start < match.end() for start, end in places)
        kind = "thing" if inside else _kind_of(said, low, thing)
        raw = text[match.start() : match.end()]
        found.append(Token(low, kind, raw[:1].isupper() and bool(found), raw))
    return [one for at, one in enumerate(found) if not _encloses(found, at)]


def _kind_of(said: str, low: str, thing: Thing) -> str:
    mixed = said[0].isalpha() and any(char.isdigit() for char in said)
    if said[0] != "¤" and stem(low.removesuffix("'s")) in thing.stems:
        return "thing"
    if said[0] == "¤" or "_" in said or mixed or (said[-1].isalpha() and "." in said):
        return "opaque"
    if said[0].isdigit():
        return "number"
    plainly = said[0].isalpha() and all(map(plain.is_plain_letter, said))
    return "word" if plainly else "sign"


def _within(text: str, match: re.Match[str]) -> bool:
    """Whether a hyphen stands between two letters."""
    return text[match.start() - 1].isalnum() and text[match.end() : match.end() + 1].isalnum()


def _encloses(tokens: Sequence[Token], at: int) -> bool:
    one = tokens[at]
    beside = tokens[at + 1 : at + 2] if one.text in "(<" else tokens[max(at - 1, 0) : at]
    return one.text in "()<>" and any(other.kind in {"thing", "opaque"} for other in beside)
