"""Whether a typed address stands where an order names its receiver.

"Mail bob@x.org the address of eve@y.org" names two addresses and one receiver. What can't be told
apart here is asked about.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from bot.domain.targets import Target, TargetKind
from bot.tools.permission import clause_words as lists
from bot.tools.permission.act_words import ACTS, Act
from bot.tools.permission.clauses import masked, words_in
from bot.tools.permission.naming import EVERYDAY, MONTHS
from bot.tools.permission.plain_words import NOTING, word_set
from bot.tools.permission.provenance_words import NOUNS, spans_of, words_of
from bot.tools.text.stemming import stem

_RECEIVERS = frozenset(
    {TargetKind.EMAIL, TargetKind.CHANNEL, TargetKind.ACCOUNT, TargetKind.URL, TargetKind.HOST}
)
_BETWEEN = re.compile(
    r"[\s>)\]\"'`”]*(?:,|;|&|\+|/|\b(?:and|und|et|y|e|cc|bcc|plus|sowie|as well as)\b)"
    r"(?:[\s,:<(\"'`]|\b(?:and|und|et|y|e|to|into|in|an|auf|à|a|al|also|auch|cc|bcc|the|channel)\b)*",
    re.IGNORECASE,
)
_OPEN_BRACKETS = " \t<([\"'`“„*_@#"
_WHERE = word_set("on auf su sur sobre at in from bei")


def receives(text: str, target: Target) -> bool:
    """Whether a clause that orders something names the target as what it acts on."""
    places = [
        (start, end) for start, end in spans_of(text, target.kind) if _is(text[start:end], target)
    ]
    if target.kind not in _RECEIVERS:
        return not places or any(_is_thing(text, start) for start, _ in places)
    if not places:
        return False
    others = sorted(_apart({*places, *spans_of(text, target.kind)}))
    if not all(_BETWEEN.fullmatch(text[end:start]) for (_, end), (start, _) in pairwise(others)):
        return False
    if not all(_is_named_alone(text, end) for _, end in others):
        return False
    start, end = others[0][0], others[-1][1]
    return _stands_behind_verb(text, start) and not _is_handled(text, start, end, target.kind)


def _is_handled(text: str, start: int, end: int, kind: TargetKind) -> bool:
    """Whether it is not who receives, but what is dealt with, or another verb's receiver.

    "Report eve@… as spam", "ask Tom to write to eve@…", "run a check on https://…"
    """
    before = words_in(masked(text[:start].rstrip(_OPEN_BRACKETS)))
    after = words_in(masked(text[end : end + 60]))
    verb = before[-1] if before else ""
    if verb in ACTS and verb not in lists.INVITING and after and after[0] in _DEALT:
        return True
    if kind in {TargetKind.URL, TargetKind.HOST} and verb in _WHERE:
        return True
    return any(
        (word.endswith("ing") and before[at - 1] in lists.AWAY | _ABOUT)
        or (word in ACTS and at > 0 and before[at - 1] in _TO_DO)
        for at, word in enumerate(before)
        if at > 0
    )


_ABOUT = frozenset({"on", "of", "for", "by", "at"})
_DEALT = frozenset({"to", "as", "als", "zu", "comme", "como", "come", "into", "in", "from", "aus"})
_TO_DO = frozenset({"to", "zu", "de", "d'", "a", "di", "à", "que"})


def without(text: str, target: Target) -> str:
    """The text without the target."""
    for start, end in reversed(list(spans_of(text, target.kind))):
        if _is(text[start:end], target):
            text = f"{text[:start]} {text[end:]}"
    return text.replace(target.value, " ")


def _is(piece: str, target: Target) -> bool:
    return words_of(piece).name(target) or piece.strip("#@") == target.value


def _apart(places: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The places that lie in no other one."""
    return {
        one
        for one in places
        if not any(other != one and other[0] <= one[0] and one[1] <= other[1] for other in places)
    }


def _is_named_alone(text: str, end: int) -> bool:
    """Whether what follows says nothing about its bearer: "eve@… is", "eve@…'s mail"."""
    rest = text[end:]
    if re.match(r"['\u2019]s\b", rest):
        return False
    rest = rest.lstrip(">)]\"'`”*_")
    following = words_in(masked(rest[:60]))
    gap = re.match(r"[\s,(]*[^\W\d_]", rest)
    if not following or not gap:
        return True
    return following[0] in lists.FOLLOWING and following[0] not in lists.FINITE - {"a"}


def _stands_behind_verb(text: str, start: int) -> bool:
    before = text[:start].rstrip(_OPEN_BRACKETS)
    before = before.removesuffix(":")
    words = words_in(masked(before))
    if before and not before[-1].isalpha() and not before.endswith(("'", "\u2019")):
        return _behind_amount(before, words)
    if words and words[-1] in ACTS and not (len(words) > 1 and words[-2] in lists.LABELS):
        return True
    while words and words[-1] in lists.LABELS and words[-1] not in lists.TOWARDS:
        words = words[:-1]
    if not words or tuple(words) in lists.POLITE:
        return True
    last = words[-1]
    return last in lists.TOWARDS or last in ACTS or last in lists.PLEASE


def _behind_amount(before: str, words: list[str]) -> bool:
    """Whether it follows the verb, but for punctuation: "Invite, please, …"."""
    return bool(words) and before[-1] in ",(" and words[-1] in lists.OPENING | set(ACTS)


def _is_thing(text: str, start: int) -> bool:
    """Whether the words before don't say that it is only looked at: "from #12", "like #12"."""
    words = words_in(masked(text[:start].rstrip(_OPEN_BRACKETS)))
    while words and words[-1] in lists.LABELS | NOUNS:
        words = words[:-1]
    if not words:
        return True
    belongs = words[-1] in lists.OF and not (len(words) > 1 and words[-2] in NOUNS)
    return words[-1] not in lists.AWAY and not belongs


def is_object(text: str, own: Iterable[str], kind: str, acts: frozenset[Act]) -> bool:
    """Whether an order acts on the thing with these words, and not on something around it."""
    known = _words_of(own)
    stems = {stem(word) for word in known} - EVERYDAY
    nouns = _nouns_of(kind)
    words = [found.casefold() for found in re.findall(r"[^\W_]+", _PLEASE.sub(" ", text))]
    for prefix in lists.POLITE:
        if tuple(words[: len(prefix)]) == prefix:
            words = words[len(prefix) :]
            break
    at = next((at for at, word in enumerate(words) if stem(word) in stems), None)
    if at is None:  # named by a day or an id alone
        return True
    before = words[:at]
    while before and before[-1] in lists.LABELS | nouns | known | {"a", "an", "un", "une", "una"}:
        if before[-1] in lists.TOWARDS:
            break
        before = before[:-1]
    if acts <= {Act.CHANGE, Act.CLOSE} and {*before[-2:-1]} & _ATTRIBUTES:
        before = before[:-2]
    last = before[-1] if before else ""
    belongs = last in lists.OF and not (len(before) > 1 and before[-2] in nouns)
    if (last in lists.AWAY and not (len(before) > 1 and before[-2] in nouns)) or belongs:
        return False
    verbs = [word for word in before if word in ACTS]
    rest = [
        word
        for word in before
        if word not in lists.PLAIN
        and word not in lists.OPENING
        and word not in nouns
        and word not in _POLITE
        and word not in lists.FILLING
        and word not in verbs[:1]
    ]
    if acts <= {Act.CHANGE, Act.CLOSE}:
        return not rest
    if acts <= {Act.CHANGE, Act.CLOSE, Act.ADD, Act.MAKE}:
        logs = verbs[:1] and verbs[0] in NOTING
        towards = last in (lists.TOWARDS if logs else lists.TOWARDS - lists.WITH) or last in {
            "for",
            "für",
            "pour",
            "para",
            "per",
        }
        return towards or (not rest and not lists.PUTTING.intersection(verbs))
    return not any(
        word in ACTS and at > 0 and before[at - 1] in _TO_DO for at, word in enumerate(before)
    )


_ATTRIBUTES = frozenset(
    ["name", "title", "stage", "status", "time", "date", "priority", "place", "titel", "zeit",
     "nom",
     "titre", "heure", "nombre", "título", "hora", "nome", "titolo", "ora"]
)  # fmt: skip
"""What is changed when they are: "the name of the file"."""


def _words_of(own: Iterable[str]) -> set[str]:
    return {word for name in own for word in re.findall(r"[^\W_]+", name.casefold())}


def _nouns_of(kind: str) -> frozenset[str]:
    return frozenset[str]().union(*(lists.KIND_NOUNS.get(part, {part}) for part in kind.split("_")))


def says_nothing_else(text: str, own: Iterable[str], kind: str) -> bool:
    """Whether an order has no words but its verb, the thing's own words and nouns of its kind."""
    known = _words_of(own)
    stems = {stem(word) for word in known}
    nouns = _nouns_of(kind) | (_FROM_SENDER if kind == "mail" else frozenset[str]())
    text = _FROM.sub(lambda found: " " if stem(found[2]) in map(stem, nouns) else found[0], text)
    left = [
        word
        for word in re.findall(r"[^\W_]+", _PLEASE.sub(" ", text.casefold()))
        if not word.isdigit()
        and word not in known
        and stem(word) not in stems
        and word not in lists.PLAIN
        and word not in nouns
        and word not in MONTHS
        and word not in lists.OPENING
        and word not in lists.JOINING
    ]
    verbs = [word for word in left if word in ACTS]
    return len(left) - len(verbs[:1]) <= 0 or _is_polite(left)


def _is_polite(left: list[str]) -> bool:
    """Whether the rest is a polite question around one verb."""
    rest = [word for word in left if word not in _POLITE and word not in lists.FILLING]
    return len(rest) == 1 and rest[0] in ACTS


_POLITE = frozenset(word for prefix in lists.POLITE for word in prefix)
_FROM_SENDER = frozenset({"from", "of", "von", "da"})
_FROM = re.compile(
    r"\b(?:from|aus|von|de|des|du|del|dal|dalla|dalle|dai) "
    r"((?:my|the|mes|mis|las|los|le|mein\w*|den|der) )?"
    r"([^\W\d_]+)",
    re.IGNORECASE,
)
"""Where a thing is taken from: "from my todos"."""
_PLEASE = re.compile(r"s['\u2019]il (?:te|vous) pla[iî]t|por favor|per favore")
