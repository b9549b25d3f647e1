"""What a message asks for, clause by clause, in five languages.

A clause vouches for a target only if it is an order: it begins with a verb of the right kind, and
nothing in its sentence negates, asks, reports or limits it. Everything else, and every word that
the lists don't know, leads to a question. So these patterns can only make the gate more careful
than "the person typed exactly this target".

See docs/rules.md#trust.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.tools.permission import clause_words as lists
from bot.tools.permission.act_words import (
    ACTS,
    PARTED,
    PLACING,
    STRICT,
    Act,
    is_infinitive,
)
from bot.tools.permission.naming import NAMED_MONTH
from bot.tools.permission.wishes import ARROW, wished

FRAGMENT_WORDS = 4
"""A longer text without a verb of an order is a statement and no answer."""
NAME_WORDS = 2
"""More words behind "ask" ask for something: "ask Ben for the key if …"."""


@dataclass(frozen=True)
class Clause:
    """A part of a message."""

    text: str
    acts: frozenset[Act] = frozenset()
    """What it orders; empty for a statement, a question and for what somebody is told."""
    doubtful: bool = False
    """Whether it is negated, asked, reported, conditional, pasted or taken back."""
    content: bool = False
    """Whether it says what somebody is told, or which thing is meant: `that …`, `: …`."""
    fragment: bool = False
    """Whether it is a few words without a verb, such as the answer to a question."""
    asks: bool = False
    """Whether its sentence is a question."""
    topic: bool = False
    """Whether it only says what the order behind its colon is about."""

    def orders(self, wanted: frozenset[Act]) -> bool:
        return not self.doubtful and bool(self.acts & wanted)

    @property
    def states(self) -> bool:
        """Whether it says something of the person's own, without any doubt."""
        return not (self.acts or self.doubtful or self.content)


_WORD = re.compile(
    r"(?<![^\W\d_])(?:qu|[cdjlmnst])['\u2019](?=[^\W\d_])|[^\W\d_]+(?:['\u2019](?:t|s|d|m|ll|re|ve)\b)?",
    re.IGNORECASE,
)
_MASKED = re.compile(
    r"`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»"
    r"|(?<!\w)'[^'\n]{1,200}'(?!\w)|(?<!\w)\u2018[^\u2019\n]{1,200}\u2019(?!\w)"
    r"|[A-Za-z][A-Za-z0-9+.-]{1,15}://[^\s<>]+|<[^<>\s@#!:/.]{0,80}[@#!:/.][^<>\s]{0,400}>"
    r"|[^\s@<>(),;:]+@[^\s@<>(),;:?!]+"
    r"|(?<![^\s(])[#@][\w.-]*\w|(?<!\S)[\w~./-]*[\w~]/[\w~./-]*\w"
)
_QUOTES = "`\"“„«'\u2018<"
_PLEASE = re.compile(r"s['\u2019]il (?:te|vous) pla[iî]t", re.IGNORECASE)
_ABBREVIATED = re.compile(
    r"\b(?:dr|mr|mrs|ms|st|prof|nr|no|sr|sra|mme|mlle|ca|bzw|e\.g|i\.e|z\.b|vs|dott|sig)\.(?=\s)",
    re.IGNORECASE,
)
_ENDING = re.compile(r"[.!?…]+[\"'”\u2019)\]]*(?:\s+|$)|\n+")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_BREAKS = re.compile(r"(?<!\d):|:(?!\d)|[;—\u2013→]|\s-+>?\s")
_DIGIT_DOT = re.compile(rf"(?<=\d)\.(?= (?:[a-zà-ÿ]|(?i:{NAMED_MONTH})))")


@lru_cache(maxsize=512)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of a person's own words, in order."""
    if lists.PASTED_MAIL.search(text):
        return (Clause(text, doubtful=True),)
    if ARROW.fullmatch(text):
        return (Clause(text, frozenset({Act.CHANGE})),)
    sentences: list[tuple[Clause, ...]] = []
    pasted = introduced = False
    for number, paragraph in enumerate(_PARAGRAPHS.split(text)):
        for sentence, ending in sentences_of(paragraph):
            if takes_back(sentence):
                sentences = [_doubted(one) for one in sentences]
            clauses = tuple(_clauses(sentence, ending, opening=number == 0))
            if not clauses:  # a dash alone
                continue
            sentences.append(_doubted(clauses) if pasted or introduced else clauses)
            introduced = introduced or _introduces(sentence, ending, paragraph)
            if "\n" in ending or "\n" in paragraph[:1]:
                pasted = pasted or not (_orders(clauses) or _is_opening(sentence))
        pasted = pasted or paragraph.rstrip().endswith(("?", ":"))
        pasted = pasted or not any(_orders(one) or _is_opening(one[0].text) for one in sentences)
    return tuple(clause for one in _in_company(sentences) for clause in one)


def _in_company(sentences: Sequence[tuple[Clause, ...]]) -> Iterator[tuple[Clause, ...]]:
    """The sentences, doubted where another one speaks against them.

    What can't be taken back counts only among orders. Other orders don't count before a question,
    and before a sentence that says whose words they are: "That is what she said."
    """
    for at, clauses in enumerate(sentences):
        later = sentences[at + 1 :]
        others = [one for one in (*sentences[:at], *later) if not _is_plain(one)]
        disowned = any(_disowns(one) for one in later)
        yield tuple(
            replace(clause, doubtful=True)
            if disowned or (others and clause.acts & STRICT)
            else clause
            for clause in clauses
        )


def _orders(clauses: Sequence[Clause]) -> bool:
    return any(clause.acts and not clause.doubtful for clause in clauses)


def _is_plain(clauses: Sequence[Clause]) -> bool:
    """Whether a sentence is an order, a greeting, or the thing itself."""
    return (
        _orders(clauses)
        or all(clause.fragment for clause in clauses)
        or _is_opening(" ".join(clause.text for clause in clauses))
    )


def _is_opening(sentence: str) -> bool:
    return lists.OPENING.issuperset(words_in(masked(sentence)))


def _disowns(clauses: Sequence[Clause]) -> bool:
    """Whether a sentence asks, reports, or points back at what stands before it."""
    if _orders(clauses) or not clauses:
        return False
    words = words_in(masked(clauses[0].text))
    return (
        any(clause.asks for clause in clauses)
        or any(not lists.REPORTING.isdisjoint(words_in(masked(one.text))) for one in clauses)
        or bool(words and words[0] in lists.POINTING)
    )


def takes_back(text: str) -> bool:
    """Whether a text begins by taking back what was said before."""
    return lists.TAKES_BACK.match(text.strip(" \t\n-\u2013—,.…¡¿")) is not None


def _doubted(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    return tuple(replace(clause, doubtful=True) for clause in clauses)


def _introduces(sentence: str, ending: str, paragraph: str) -> bool:
    """Whether a line with a colon at its end introduces a text, which may be somebody else's."""
    if not (sentence.rstrip().endswith(":") and "\n" in ending):
        return False
    rest = paragraph.partition(sentence + ending)[2]
    return any(len(line.split()) > 1 for line in rest.split("\n"))


def masked(text: str) -> str:
    """The text with quotations, links and addresses blacked out, of the same length."""
    text = _MASKED.sub(_blacked, text)
    text = _PLEASE.sub(lambda match: "svp".ljust(len(match[0])), text)
    text = _ABBREVIATED.sub(lambda match: match[0][:-1] + "¤", text)
    return _DIGIT_DOT.sub("¤", text)


def _blacked(match: re.Match[str]) -> str:
    """Leaves the punctuation behind a link or address: it may be a question mark."""
    found = match[0]
    kept = len(found) if found[0] in _QUOTES else len(found.rstrip("?!.,;:…)"))
    return "¤" * kept + found[kept:]


def words_in(text: str) -> list[str]:
    """The words of a masked text, in lower case."""
    return [match[0].lower().replace("\u2019", "'") for match in _WORD.finditer(text)]


def sentences_of(text: str) -> Iterator[tuple[str, str]]:
    """(sentence, what ends it) of a paragraph."""
    at = 0
    for match in _ENDING.finditer(masked(text)):
        if text[at : match.start()].strip():
            yield text[at : match.start()], match[0]
        at = match.end()
    if text[at:].strip():
        yield text[at:], ""


def _clauses(sentence: str, ending: str, *, opening: bool) -> Iterator[Clause]:
    parts = _parts(masked(sentence))
    asked = "?" in ending or "¿" in sentence
    for number, part in enumerate(parts):
        before, after = parts[:number], parts[number + 1 :]
        doubtful = _is_doubtful(part, before, after, asked=asked, opening=opening)
        fragment = len(parts) == 1 and not (doubtful or part.acts) and part.short
        text = sentence[part.start : part.end]
        yield Clause(text, part.acts, doubtful, part.content, fragment, asked, part.topic)


# --- parts of a sentence ---


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class _Part:
    """A clause, and what its words say about it."""

    start: int
    end: int
    words: tuple[str, ...]
    content: bool
    negates: bool
    acts: frozenset[Act]
    polite: bool
    topic: bool = False
    """Whether a colon follows it, and nothing stands before it."""
    whether: bool = False
    """Whether it says what is asked, and sets the asking no condition: "ask Ben if …"."""

    @property
    def reports(self) -> bool:
        return not (self.acts or lists.REPORTING.isdisjoint(self.words))

    @property
    def limits(self) -> bool:
        return not lists.LIMITING.isdisjoint(self.words)

    @property
    def limits_asking(self) -> bool:
        """The same for the clause before it."""
        return not lists.LIMITING.isdisjoint(self.words[self.whether :])

    @property
    def calls(self) -> bool:
        """Whether it is one word before a comma, such as the name of who is spoken to."""
        called = len(self.words) == 1 and not self.acts and self.words[0] not in lists.OPENING
        return called and not self.topic

    @property
    def looks(self) -> bool:
        """Whether it only asks to be shown something."""
        return bool(self.words) and self.words[0] in lists.LOOKING

    @property
    def notes(self) -> bool:
        """Whether it has what was said before written down, and nothing else: "note it"."""
        rest = {*self.words} - lists.OPENING - lists.IT - {"down", "auf"}
        return self.acts >= {Act.ADD} and len(rest) == 1 and Act.DELETE not in self.acts

    @property
    def courteous(self) -> bool:
        """Whether it is a greeting or thanks."""
        return lists.OPENING.issuperset(self.words)

    @property
    def retells(self) -> bool:
        """Whether it says that somebody else said it: "…, she kept telling me"."""
        return (
            bool(self.words)
            and self.words[0] in {"he", "she", "they"}
            and not lists.REPORTING.isdisjoint(self.words)
        )

    @property
    def tells(self) -> bool:
        """Whether it says what somebody is told, and not when or why something is done."""
        return self.content and not (self.words and self.words[0] in lists.TIMES)

    @property
    def questions(self) -> bool:
        return bool(self.words) and not self.acts and self.words[0] in lists.QUESTIONING

    @property
    def short(self) -> bool:
        opening = self.words[:1]
        return (
            len(self.words) <= FRAGMENT_WORDS
            and lists.FINITE.isdisjoint(self.words)
            and not any(word in ACTS or word in lists.LOOKING for word in opening)
        )


def _parts(text: str) -> list[_Part]:
    """The clauses of a masked sentence."""
    found: list[_Part] = []
    at = 0
    breaks = [*((match.start(), match.end()) for match in _BREAKS.finditer(text)), (len(text),) * 2]
    for start, end in breaks:
        if text[at:start].strip():
            topic = _is_topic(text[:at], found)
            if topic:
                found = [replace(found[0], topic=True)]
            found += _parts_between(text, at, start, told=at > 0 and not topic)
        at = end
    return found


def _is_topic(before: str, parts: Sequence[_Part]) -> bool:
    """Whether a few words and a colon say what the order behind them is about: "On WEB-412: …"."""
    return (
        before.rstrip().endswith(":")
        and len(parts) == 1
        and not parts[0].acts
        and len(parts[0].words) <= FRAGMENT_WORDS
    )


def _parts_between(text: str, start: int, end: int, *, told: bool) -> Iterator[_Part]:
    words = [
        _Word(match[0].lower().replace("\u2019", "'"), match.start(), match.end())
        for match in _WORD.finditer(text, start, end)
    ]
    begins: list[int] = []
    for at in range(1, len(words)):
        joining = words[at - 1].text in lists.JOINING and at - 1 in (*begins, 0)
        if not joining and _begins_clause(text, words, at):
            begins.append(at)
    edges = [start, *(words[at].start for at in begins), end]
    heads = [0, *begins, len(words)]
    acting = False
    for number in range(len(heads) - 1):
        inner = words[heads[number] : heads[number + 1]]
        plain = tuple(word.text for word in inner)
        subject = number > 0 and acting and bool(plain) and plain[0] in lists.SUBJECTS
        content = told or subject or bool(plain and plain[0] in lists.SUBORDINATING)
        acts, polite = (frozenset[Act](), False) if content else ordered(plain)
        if not (acts or content) and len(heads) == 2:
            acts = wished(plain)
        if not PLACING.isdisjoint(plain) and not re.search(
            r"\d", text[edges[number] : edges[number + 1]]
        ):
            acts -= {Act.CHANGE}
        acting = acting or bool(acts)
        before = [word.text for word in words[heads[number - 1] : heads[number]]] if number else []
        whether = (
            bool(plain)
            and plain[0] in lists.WHETHER
            and _asks_somebody(before)
            and lists.CONDITIONAL.isdisjoint(one.text for one in words[heads[number] + 1 :][:1])
            and "," not in text[words[heads[number] - 1].end : edges[number]]
        )
        negates = any(_negates(word, text) for word in inner)
        yield _Part(
            edges[number], edges[number + 1], plain, content, negates, acts, polite, whether=whether
        )


def _asks_somebody(words: Sequence[str]) -> bool:
    """Whether a clause has somebody asked, and ends with their name: "ask Ben"."""
    at = next((at for at, word in enumerate(words) if word in lists.ASKING), len(words))
    whom = [word for word in words[at + 1 :] if word not in {"à", "a"}]
    return 0 < len(whom) <= NAME_WORDS and lists.NO_NAMES.isdisjoint(whom)


def _begins_clause(text: str, words: Sequence[_Word], at: int) -> bool:
    word, last = words[at], words[at - 1]
    if "," in text[last.end : word.start] and word.text in lists.LOOKING:
        return True
    if _is_subject(word, text) or (word.text in lists.SUBORDINATING and not _points(words, at)):
        return True
    if word.text == "was" and "," in text[last.end : word.start]:  # a German "what"
        return True
    if "," not in text[last.end : word.start] and last.text not in lists.JOINING:
        return False
    return bool(ordered([one.text for one in words[at : at + 8]], last=False)[0])


def _is_subject(word: _Word, text: str) -> bool:
    """Whether it is a pronoun that begins what somebody is told; an Italian `i` is an article."""
    return word.text in lists.SUBJECTS and text[word.start : word.end] != "i"


def _points(words: Sequence[_Word], at: int) -> bool:
    """Whether a `that` points at a thing: "close that issue", "add that"."""
    verb = words[at - 1].text
    if words[at].text == "what" and verb in {"write", "put", "add", "note"}:
        return True
    if words[at].text == "that" and verb in lists.OF | lists.AWAY | lists.TOWARDS | {"for"}:
        return True
    return (
        words[at].text == "that"
        and verb in ACTS
        and (verb not in lists.SAYING or at + 1 == len(words) or words[at + 1].text == "down")
    )


def _negates(word: _Word, text: str) -> bool:
    said = word.text
    if said == "no" and re.match(r"[.¤]?\s*#?\d", text[word.end : word.end + 4]):
        return False
    if said == "mai":  # an Italian "never", and a month elsewhere
        return text[word.start].islower()
    return said in lists.NEGATING or said == "n'" or said.endswith("n't") or said.startswith("kein")


def _is_doubtful(
    part: _Part, before: Sequence[_Part], after: Sequence[_Part], *, asked: bool, opening: bool
) -> bool:
    """Whether anything in the sentence speaks against the clause."""
    strict = bool(part.acts & STRICT)
    around = [part, *before, *(one for one in after if strict or not one.content)]
    limited = any(one.limits for one in (part, *before, *after[1:]))
    limited = limited or any(one.limits_asking for one in after[:1])
    if limited or any(one.negates for one in around):
        return True
    if (asked and (strict or not part.polite)) or any(one.retells for one in after):
        return True
    if not part.acts:
        noted = any(one.notes for one in after)
        return any((one.reports and not noted) or one.questions for one in (part, *before))
    if strict and not opening:
        return True
    if strict and any(not (one.acts or one.courteous or one.looks) for one in (*before, *after)):
        return True
    return any(
        one.questions or (one.reports and not part.notes) or one.tells or one.calls
        for one in before
    )


# --- orders ---


def ordered(words: Sequence[str], *, last: bool = True) -> tuple[frozenset[Act], bool]:
    """The acts that a clause orders, and whether it does so by a polite question.

    `last`: a German verb at the end counts, too, as in "bitte die Datei löschen".
    """
    rest = list(words)
    while rest:
        for prefix in lists.POLITE:
            if tuple(rest[: len(prefix)]) == prefix:
                return _after_polite(rest[len(prefix) :]), True
        if rest[0] not in lists.OPENING:
            break
        rest = rest[1:]
    if not rest:
        return frozenset(), False
    acts = _verb(rest)
    if not acts and last and not lists.PLEASE.isdisjoint(words):
        acts = _last_verb(rest)
    return acts, False


def _after_polite(rest: list[str]) -> frozenset[Act]:
    while rest and rest[0] in lists.OPENING | lists.FILLING and rest[0] not in ACTS:
        rest = rest[1:]
    return (_verb(rest, free=True) or _last_verb(rest)) if rest else frozenset()


def _last_verb(rest: Sequence[str]) -> frozenset[Act]:
    last = next((word for word in reversed(rest) if word not in lists.PLEASE), "")
    if not last.endswith("n") or not lists.HELPING.isdisjoint(rest):
        return frozenset()
    return ACTS.get(last, frozenset())


def _verb(rest: Sequence[str], *, free: bool = False) -> frozenset[Act]:
    """The acts of the verb at the beginning. `free`: an infinitive counts, too."""
    first = rest[0]
    if not free and is_infinitive(first):
        return frozenset()
    myself = len(rest) > 1 and rest[1] in lists.MYSELF
    for (verb, second), acts in () if myself else PARTED.items():
        if first == verb and second in rest[1:]:
            return acts
    if first == "let" and "know" not in rest:
        return frozenset()
    acts = ACTS.get(first, frozenset())
    if myself and acts & {Act.TELL, Act.CHANGE, Act.DELETE, Act.RUN}:
        return acts & {Act.ADD, Act.MAKE} if first in lists.BOTH else frozenset()
    return acts
