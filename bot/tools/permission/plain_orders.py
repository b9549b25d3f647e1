"""Whether every word of a message is accounted for by an order, a greeting or what is said.

`clauses` finds orders and what speaks against them. It knows only the doubts that its lists name.
Here it is the other way round: whatever is not known to belong to an order makes a doubt: "Write to
eve@…, as if", "in case of rain", a face, a word of another language. So this can only lead to
questions. It is used while text from outside is in the conversation.

See docs/rules.md#trust.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from bot.domain.targets import TargetKind
from bot.tools.permission import clause_words as lists
from bot.tools.permission import plain_words as plain
from bot.tools.permission.act_words import STRICT, Act
from bot.tools.permission.clauses import sentences_of
from bot.tools.permission.order_reader import (
    MOVING,
    OTHER,
    OUTWARD,
    QUESTIONS,
    SAYING,
    THAT,
    WHEN,
    YES,
    Sentence,
    read_order,
)
from bot.tools.permission.plain_tokens import Thing, Token, is_topic, segments_of, tokens_of
from bot.tools.permission.plain_words import word_set
from bot.tools.permission.provenance_words import NOUNS
from bot.tools.permission.wishes import ARROW, MODALS, wished

_BUT_YOU = re.compile(r"(?i)\b(?:und|dann|aber) du\b")
_COURTEOUS = plain.AFTER | lists.OPENING
_DICTATED = frozenset({Act.TELL, Act.SHARE, Act.ADD, Act.MAKE})
"""Acts behind which the next line may be what is written."""


def is_plain(text: str, thing: Thing, wanted: frozenset[Act]) -> bool:
    """Whether a message orders such an act on the thing, with no word that is unaccounted for."""
    found = led = False
    if arrow := ARROW.fullmatch(text):
        value = {one.text for one in tokens_of(arrow[2], thing)}
        plainly = value.isdisjoint(_DOUBTFUL) and not plain.JEST.search(text)
        return Act.CHANGE in wanted and plainly and is_topic(tokens_of(arrow[1], thing))
    for sentence, ending in _lines(text):
        read = _sentence(sentence, ending, thing)
        if not read.plain:
            return False
        led = led or read.leads
        if read.acts:
            anyhow = (led and read.points) or not thing.known
            found = found or bool((read.acts if anyhow else read.named_acts) & wanted)
            if read.opens or ("\n" in ending and read.acts & _DICTATED and not read.says):
                break
    return found


def takes_nothing_back(text: str, *, answer: bool) -> bool:
    """Whether a later message of the same turn leaves an order as it was.

    `answer`: it answers a question, so a few words are enough.
    """
    if not text.strip():
        return True
    tokens = [one.text for one in tokens_of(text.translate(plain.PLAIN_SIGNS), Thing())]
    head = next((word for word in tokens if word not in lists.OPENING), "")
    if head in plain.KEEPING or plain.JEST.search(text):
        return False
    if answer and len(tokens) <= 4 and "?" not in tokens:
        return lists.NEGATING.isdisjoint(tokens)
    return reads_plainly(text)


def reads_plainly(text: str) -> bool:
    """Whether a text has only orders, greetings and the like."""
    return all(_sentence(sentence, ending, Thing()).plain for sentence, ending in _lines(text))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    text = plain.KIND_FACES.sub(lambda found: " " * len(found[0]), text)
    for paragraph in re.split(r"(?<=\n)(?=\n)", text.translate(plain.PLAIN_SIGNS)):
        yield from sentences_of(paragraph)


# --- a sentence ---


@lru_cache(maxsize=1024)
def _sentence(sentence: str, ending: str, thing: Thing) -> Sentence:
    if plain.JEST.search(sentence) or _BUT_YOU.search(sentence):
        return OTHER
    tokens = tokens_of(sentence, thing)
    if all(one.text in _COURTEOUS for one in tokens if one.kind != "sign"):
        signs = {one.text for one in tokens if one.kind == "sign"}
        return Sentence() if signs <= {",", "!", "¡"} and "?" not in ending else OTHER
    if plain.NEEDS.fullmatch(sentence.strip().lower()):
        return Sentence()
    if tokens[0].kind == "sign" and tokens[0].text not in "¿¡":
        return OTHER
    read = Sentence(plain=True)
    asked = "?" in ending or "¿" in sentence
    for joined, part in segments_of([one for one in tokens if one.text not in "¿¡"]):
        read = _with(read, part, thing, asked=asked, joined=joined)
        if not read.plain or read.says:
            break
    if (read.lacks and not read.points) or not (read.acts or read.leads or read.looks):
        return OTHER
    if read.acts & STRICT and ("…" in ending or ".." in ending):
        return OTHER
    return read


def _with(
    read: Sentence, part: Sequence[Token], thing: Thing, *, asked: bool, joined: bool
) -> Sentence:
    """What a sentence is with one more part. `joined`: by an "and"."""
    words = [one.text for one in part]
    if not read.acts and all(word in lists.OPENING for word in words):
        return read
    if read.acts and all(word in plain.AFTER for word in words):
        return read
    if words and words[0] == ":":
        return replace(read, says=True, opens=True, lacks=False) if read.acts else OTHER
    order = read_order(part, thing, asked=asked)
    if order is not None:
        return _and_order(read, order, thing, joined=joined)
    if read.acts:
        return _continued(read, part, thing)
    return _statement(read, part, thing, asked=asked)


def _and_order(read: Sentence, order: Sentence, thing: Thing, *, joined: bool) -> Sentence:
    """An order behind what was read before."""
    # What follows a comma may be what the order before it writes: "Add a todo, pay …".
    written = read.acts & _DICTATED and not (read.names or read.whole or joined)
    outward = order.acts & OUTWARD and not thing.person
    noted = order.points and order.verb in plain.NOTING and order.acts <= _WRITING
    if not order.plain or written or (read.afar and outward) or (read.reports and not noted):
        return OTHER
    named = (order.names and bool(order.acts)) or (read.leads and order.points) or read.topic
    return replace(
        order,
        acts=read.acts | order.acts,
        names=read.names or named,
        named_acts=read.named_acts | (order.acts if named else frozenset[Act]()),
        points=order.points,
        leads=read.leads or (read.looks and read.names),
        topic=read.topic,
    )


def _statement(read: Sentence, part: Sequence[Token], thing: Thing, *, asked: bool) -> Sentence:
    """A part before any order."""
    words = [one.text for one in part]
    if not asked and (wish := wished(words)) and _asks_for_more(part, thing):
        return Sentence(acts=wish, names=True, named_acts=wish)
    if asked or not (_states(part) or is_topic(part)):
        return OTHER
    reports = any(one.text in lists.REPORTING for one in part)
    leads = any(one.kind == "thing" for one in part)
    topic = leads and is_topic(part)
    return replace(read, leads=leads, afar=not leads, topic=topic, reports=reports)


def _asks_for_more(part: Sequence[Token], thing: Thing) -> bool:
    """Whether a statement asks for something for the thing, with no doubtful word."""
    words = {one.text for one in part if one.kind == "word"}
    sound = all(one.kind != "sign" for one in part) and words.isdisjoint(_DOUBTFUL)
    if wished([one.text for one in part]) <= {Act.CLOSE} and not words.isdisjoint(plain.TIMES):
        return False
    first = [one for one in part if one.text not in lists.OPENING | plain.DETERMINERS][:1]
    begins = bool(first) and (first[0].kind == "thing" or first[0].text in _WISHING)
    head = list(takewhile(lambda one: one.text not in MODALS, part))
    if len(head) < len(part) and not all(_is_alike(one, thing) for one in head):
        return False
    return thing.known and sound and begins and any(one.kind == "thing" for one in part)


_DOUBTFUL = (
    lists.NEGATING | lists.LIMITING | lists.REPORTING | plain.ALTERNATIVES | plain.BARRED
) - {"must"}
_WISHING = word_set(
    "faltan falta faut servono serve manca mancano auf in zum zur zu ins im one mein meine"
)


def _continued(read: Sentence, part: Sequence[Token], thing: Thing) -> Sentence:
    """A part behind an order that begins none: more receivers, or a time."""
    kinds = {one.kind for one in part}
    words = [one for one in part if one.kind == "word"]
    if read.acts & SAYING and (read.names or not thing.known) and "sign" not in kinds:
        first = words[0].text if words and words[0] is part[0] else ""
        if first in THAT or (first in QUESTIONS - WHEN and read.verb in plain.ASKING):
            return replace(read, says=True)
        if first in WHEN and read.verb in plain.TIMES_SAID_BY:
            return replace(read, says=True)
    if part[0].text in plain.ABOUT and len(part) <= 5 and "sign" not in kinds:
        return read
    if "sign" not in kinds and all(_is_alike(one, thing) for one in part):
        if "thing" in kinds:
            return replace(read, names=True, named_acts=read.named_acts | read.acts)
        return read
    if (
        read.acts & MOVING
        and kinds <= {"word", "number"}
        and all(
            one.text in plain.TIMES | plain.DETERMINERS | lists.TOWARDS | plain.AFTER
            for one in words
        )
    ):
        return replace(read, lacks=False)
    if Act.REPLY in read.acts and read.names and len(part) <= 4 and "sign" not in kinds:
        first = part[0]
        if first.kind == "number" or first.text in plain.DETERMINERS | YES:
            return replace(read, says=True)
    return OTHER


def _is_alike(token: Token, thing: Thing) -> bool:
    """Whether it may stand in a list of several things of one kind."""
    kind = None if thing.target is None else thing.target.kind
    if token.kind == "opaque" and kind is TargetKind.EMAIL:
        return "@" in token.raw[1:] and not token.raw.startswith(("@", "<@"))
    if token.kind == "opaque":
        return kind is TargetKind.CHANNEL and token.raw.startswith(("#", "<#"))
    return token.kind in {"thing", "number"} or token.text in _LISTED


_LISTED = (
    plain.DETERMINERS
    | lists.JOINING
    | lists.TOWARDS
    | lists.LABELS
    | plain.AFTER
    | NOUNS
    | {f"{noun}s" for noun in NOUNS}
)


def _states(part: Sequence[Token]) -> bool:
    """Whether it states something before an order: "the certificates are rotated, …"."""
    first = next((one for one in part if one.text not in lists.OPENING), None)
    if first is None or any(one.kind == "sign" for one in part):
        return False
    begins = first.kind == "thing" or first.text in plain.DETERMINERS | _FIRST | plain.TIMES
    words = {one.text for one in part}
    return begins and words.isdisjoint(
        lists.NEGATING | lists.LIMITING | plain.ALTERNATIVES | plain.BARRED
    )


_WRITING = frozenset({Act.ADD, Act.MAKE, Act.TELL, Act.CHANGE})
_FIRST = word_set(
    "spoke talked met had i we i'm i've i'll we've we're ich wir j' je nous yo nosotros io noi"
)
