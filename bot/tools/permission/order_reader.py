"""Reads an order word by word: each must be accounted for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.domain.targets import TargetKind
from bot.tools.permission import clause_words as lists
from bot.tools.permission import plain_words as plain
from bot.tools.permission.act_words import ACTS, STRICT, Act
from bot.tools.permission.clauses import ordered
from bot.tools.permission.plain_tokens import Thing, Token
from bot.tools.permission.plain_words import word_set
from bot.tools.permission.provenance_words import NOUNS

UNKNOWN_WORDS = 9
"""The most words in one order that no list knows: names of things."""
MOVING = frozenset({Act.CHANGE, Act.CLOSE, Act.MAKE, Act.INVITE, Act.ADD, Act.DELETE})
"""Acts for which a time belongs to the thing. For others it says when, and that is not now."""
_AROUND = (
    lists.LABELS | plain.AFTER | lists.PLEASE | plain.PARTICLES | lists.JOINING | lists.FILLING
) | word_set("know bescheid access zugriff accès acceso accesso")
_LEADING = lists.TOWARDS | lists.WITH | plain.VALUES | word_set("as als comme como come into by")
_TIMES = plain.TIMES - plain.TODAY
_POINTED = lists.TOWARDS | plain.AFTER | plain.PARTICLES | lists.PLEASE
_STARTING = lists.OPENING | lists.JOINING
_SHOWING = lists.LOOKING | plain.LOOKS
_INDEFINITE = word_set("a an another ein eine einen einem einer un une una uno new neue")
_CALLING = word_set("call nenne appelle llama chiama")
_COUNTED = word_set("two three four five")
_MARKING = word_set("mark label tag flag markiere markier marque marca segna etichetta")
_SWAPPING = word_set("change switch swap ändere tausche wechsle cambia cambie")
_FOR = word_set("for für pour para per")
_NEVER = lists.NEGATING | lists.REPORTING | plain.ALTERNATIVES | plain.BARRED
OUTWARD = frozenset({Act.TELL, Act.SHARE, Act.INVITE, Act.RUN}) | STRICT
SAYING = frozenset({Act.TELL, Act.ADD, Act.SHARE, Act.MAKE, Act.CHANGE})
THAT = word_set("that dass daß que qu' che")
WHEN = word_set("when wann quand cuándo cuando quando")
QUESTIONS = WHEN | word_set(
    "what where who whom which whether how why wo wer wen wem was welche welcher welches ob wie "
    "warum ce où qui quel quelle comment pourquoi qué dónde quién cómo cuál si cosa dove chi "
    "come quale perché"
)
YES = word_set("yes no ja nein oui non sí sì")
_WHATEVER = word_set("what was")
KNOW = word_set("know bescheid")
_FOLLOWING = word_set(
    "this these following das dies diese folgendes ce ceci ça cela esto eso questo queste"
)
"""They may mean what follows."""
_KEEPS = word_set("keep")
_SOME = word_set("any")
_HIM = word_set("him her ihm ihr lui")
_VALUES = word_set("as als comme como come into by")


@dataclass(frozen=True)
class Sentence:
    """What a sentence is."""

    plain: bool = True
    acts: frozenset[Act] = frozenset()
    names: bool = False
    """Whether the order itself names the thing."""
    named_acts: frozenset[Act] = frozenset()
    """What the orders that name the thing order."""
    points: bool = False
    """Whether it points at what was named before: "close it"."""
    leads: bool = False
    """Whether it states something of the thing before it is dealt with."""
    says: bool = False
    """Whether the rest of the sentence is what somebody is told."""
    opens: bool = False
    """Whether everything that follows may be what somebody is told."""
    looks: bool = False
    """Whether it only asks to be shown something."""
    afar: bool = False
    """Whether a statement before the order says nothing of the thing."""
    verb: str = ""
    whole: bool = False
    """Whether it has a receiver of its own, so that what follows is no part of it."""
    lacks: bool = False
    """Whether a change has no new value so far."""
    reports: bool = False
    """Whether a statement before the order tells what somebody said."""
    topic: bool = False
    """Whether the thing stands above it: "WEB-412: add …"."""


OTHER = Sentence(plain=False)


def read_order(part: Sequence[Token], thing: Thing, *, asked: bool) -> Sentence | None:
    """An order, if a part begins one."""
    while part and part[0].text in _STARTING:
        part = part[1:]
    words = [one.text for one in part]
    acts, polite = ordered(words)
    if not acts and words and words[0] in _SHOWING:
        if not lists.NEGATING.isdisjoint(words):
            return OTHER
        return Sentence(looks=True, names=any(one.kind == "thing" for one in part))
    if not acts:
        return None
    if asked and not polite:
        return OTHER
    for prefix in lists.POLITE:
        if tuple(words[: len(prefix)]) == prefix:
            part = part[len(prefix) :]
            break
    return _Reader(part, thing, acts, polite=polite).read()


class _Reader:
    """Reads an order word by word."""

    def __init__(
        self, part: Sequence[Token], thing: Thing, acts: frozenset[Act], *, polite: bool
    ) -> None:
        self._part = part
        self._thing = thing
        self._acts = acts
        self._polite = polite
        self._open = True
        """Whether a word that no list knows may stand here, as a part of a name."""
        self._unknown = 0
        self._filled = False
        """Whether something stood before the thing: "send the report to …"."""
        self._named = self._points = self._says = self._object = self._more = False
        self._verb = ""

    def read(self) -> Sentence:
        for at, token in enumerate(self._part):
            if self._says_now(at, token):
                self._says = True
                break
            if not self._takes(at, token):
                return OTHER
        if self._polite and self._thing.target is not None and self._is_bare():
            return OTHER
        unchanged = self._verb in _SWAPPING and bool(self._thing.names)
        if self._verb in _CALLING and not self._renames():
            self._acts -= {Act.CHANGE}
        # Who is told something gets no file.
        acts = self._acts - {Act.SHARE} if self._says and Act.TELL in self._acts else self._acts
        return Sentence(
            acts=acts,
            names=self._named,
            named_acts=acts if self._named else frozenset(),
            points=self._points,
            says=self._says,
            verb=self._verb,
            whole=self._is_whole(),
            lacks=unchanged and not (self._more or self._says),
        )

    def _is_whole(self) -> bool:
        has = any(one.kind in {"opaque", "thing"} for one in self._part)
        return has and not any(one.text in _FOLLOWING for one in self._part)

    def _renames(self) -> bool:
        """Whether a new name stands right behind the thing: "call the plan Hiring 2027"."""
        return any(
            one.kind == "thing" and not one.capital and (after.kind == "opaque" or after.capital)
            for one, after in pairwise(self._part)
        )

    def _is_bare(self) -> bool:
        """Whether a "could you write to …" names nothing to write: it may ask what is possible."""
        target = self._thing.target
        reaches = target is not None and target.kind not in {TargetKind.ID, TargetKind.PATH}
        return reaches and not (self._says or self._object)

    def _says_now(self, at: int, token: Token) -> bool:
        """Whether what somebody is told begins here."""
        if token.kind != "word" or not self._acts & SAYING:
            return False
        before = self._part[at - 1] if at else None
        if before is None:
            return False
        addressed = before.kind in {"thing", "opaque"} or before.text in KNOW or before.capital
        if token.text in lists.SUBJECTS | YES:
            return addressed
        if token.text in THAT:
            more = len(self._part) - at > 2
            said = before.text == self._verb and self._verb in lists.SAYING and more
            return addressed or said or (self._named and more)
        if token.text in _WHATEVER and addressed:
            return not (at + 1 < len(self._part) and self._part[at + 1].text == "a")
        if token.text in QUESTIONS:
            asked = plain.TIMES_SAID_BY if token.text in WHEN else plain.ASKING
            return addressed and (self._verb in asked or before.text in KNOW)
        return False

    def _takes(self, at: int, token: Token) -> bool:
        match token.kind:
            case "thing":
                known, self._named, self._open = self._named, True, False
                if not known and Act.DELETE in self._acts and self._unknown:
                    return False  # the photo of the list is not the list
                if not known:
                    self._filled = self._object and self._thing.target is not None
                return known or self._is_meant(at)
            case "opaque" | "number":
                self._object = self._more = True
                self._open = self._open and token.kind == "number"
                return True
            case "sign":
                return token.text == "!"
            case _:
                return self._takes_word(at, token.text)

    def _is_meant(self, at: int) -> bool:
        """Whether the words before the thing don't make it another one: "a list", "a test for"."""
        before = self._part[at - 1].text if at else ""
        target = self._thing.target
        if target is None:
            again = any(one.kind == "thing" for one in self._part[at + 2 :])
            return before not in _INDEFINITE or self._part[at].capital or again
        given = self._acts & {Act.TELL, Act.SHARE, Act.INVITE}
        return bool(given) or target.kind is not TargetKind.EMAIL or before != self._verb

    def _takes_word(self, at: int, word: str) -> bool:
        if not self._verb and word in ACTS:
            self._verb, self._open = word, True
            return not (word in _KEEPS and self._thing.target is not None)
        if word in _NEVER or word.endswith("n't"):
            return False
        if word in lists.IT and not self._is_article(at):
            self._points = self._points or self._thing.person or word not in _HIM
            return True
        found = self._takes_small_word(at, word)
        return self._takes_name(at, word) if found is None else found

    def _takes_small_word(self, at: int, word: str) -> bool | None:
        """Whether a word of a closed list may stand here; None for one of no list."""
        if word == "a" and self._is_english(at):
            return self._takes_article(at, word)
        if word in plain.ABOUT:
            return self._is_about(at)
        if word in _LEADING:
            return self._goes_on(at)
        if word in plain.DETERMINERS:
            self._points = self._points or self._points_at(word, at)
            return self._takes_article(at, word)
        if word in _TIMES:
            return self._is_timed()
        return True if word in plain.TODAY else None

    def _takes_name(self, at: int, word: str) -> bool:
        """Whether a word may be a part of a name, or of the verb."""
        behind = at > 0 and self._part[at - 1].kind == "thing"
        if behind and word in lists.LABELS:
            return word in self._thing.nouns or self._thing.target is not None
        self._object = self._object or word in KNOW
        if word in lists.JOINING and self._acts & {Act.INVITE, Act.MAKE}:
            self._open = True
        verb = word in ACTS and at == len(self._part) - 1  # a German verb at the end
        kind = self._open and self._thing.target is not None and word in NOUNS
        if verb or kind or word in self._thing.nouns or word in _AROUND:
            return True
        self._unknown += 1
        self._more = self._more or self._named
        self._open = self._open or (behind and self._verb in _MARKING)
        if behind and self._verb in _CALLING:
            self._open = self._part[at].capital
        return self._open and self._unknown <= UNKNOWN_WORDS

    def _points_at(self, word: str, at: int) -> bool:
        """Whether it points at a thing by its kind: "close that issue", "close the ticket"."""
        after = [one.text for one in self._part[at + 1 :]]
        noun = bool(after) and after[0] in self._thing.kinds
        last = all(one in plain.AFTER | lists.PLEASE for one in after[1:])
        return noun and (word in lists.IT or last)

    def _is_article(self, at: int) -> bool:
        """Whether a word such as `la` stands before a noun."""
        if self._part[at].text not in plain.DETERMINERS or at + 1 == len(self._part):
            return False
        after = self._part[at + 1]
        return after.kind != "sign" and after.text not in _POINTED

    def _takes_article(self, at: int, word: str) -> bool:
        """Whether a further thing may follow: a receiver gets one, and is called none."""
        called = self._verb in _CALLING and self._part[at - 1].kind == "thing"
        second = self._named and self._filled and self._part[at - 1].kind == "thing"
        self._open = self._object = True
        return not (called or second or (word in _SOME and self._polite))

    def _is_english(self, at: int) -> bool:
        """Whether an "a" is the article, and no Spanish or Italian "to"."""
        after = self._part[at + 1] if at + 1 < len(self._part) else None
        return (
            after is not None
            and after.kind == "word"
            and not after.capital
            and after.text not in plain.DETERMINERS - _INDEFINITE - _COUNTED
        )

    def _is_timed(self) -> bool:
        """Whether a time may stand here: what is sent or paid would be so at once."""
        self._more = True
        later = self._acts & {Act.TELL, Act.SHARE, Act.PAY, Act.RUN} and self._thing.target
        return self._open if later else (self._open or bool(self._acts & MOVING))

    def _is_about(self, at: int) -> bool:
        word = self._part[at].text
        rest = [one for one in self._part[at + 1 : at + 3] if one.text not in plain.DETERMINERS]
        purpose = word in _FOR and self._object and bool(rest) and rest[0].kind == "thing"
        self._open = self._more = True
        self._object = self._object or word in plain.CONCRETE
        away = word in lists.AWAY and bool(rest) and rest[0].kind == "thing"
        if away and Act.DELETE in self._acts and not (self._thing.person or self._thing.target):
            return False
        return not (purpose and self._is_record() and self._acts & {Act.ADD, Act.TELL})

    def _is_record(self) -> bool:
        """Whether the thing is a record or file, and nobody who receives something."""
        target = self._thing.target
        return self._thing.known and (
            target is None or target.kind in {TargetKind.ID, TargetKind.PATH}
        )

    def _goes_on(self, at: int) -> bool:
        """Whether a preposition leads to the thing, to a time or to a new value."""
        word = self._part[at].text
        rest = [one for one in self._part[at + 1 : at + 6] if one.text not in plain.DETERMINERS]
        self._open = True
        if not rest:
            return word in plain.PARTICLES | lists.WITH
        if len(rest) > 1 and rest[0].text in NOUNS and rest[1].kind in {"thing", "number"}:
            rest = rest[1:]  # "into ticket 13"
        first = rest[0]
        if first.text in lists.MYSELF:
            return True
        if first.text in plain.TIMES or first.kind == "number":
            return self._is_timed_at()
        pointing = self._points and not self._named and self._is_record()
        added = pointing and Act.ADD in self._acts and word not in _VALUES
        if added and all(one.kind != "thing" for one in rest):
            return False
        if first.kind == "opaque" and self._named and self._is_record():
            return not first.raw.startswith(("#", "@", "<"))
        if first.kind in {"thing", "opaque"} or first.text in plain.PLACES:
            return True
        return self._reaches_thing(rest) or not self._thing.known or self._leads_to_value(word)

    def _reaches_thing(self, rest: Sequence[Token]) -> bool:
        """Whether the thing follows before another preposition."""
        for one in rest:
            if one.kind == "thing":
                return True
            if one.text in lists.TOWARDS | plain.ABOUT:
                break
        return False

    def _leads_to_value(self, word: str) -> bool:
        """Whether a preposition begins a new value or an occasion: "to negotiation"."""
        self._more = True
        named = self._named or self._points
        if self._acts & {Act.CHANGE, Act.CLOSE} and word in plain.VALUES and named:
            return True
        if self._acts & {Act.INVITE, Act.MAKE} and word in lists.TOWARDS:
            return True
        return word in lists.LABELS | lists.FILLING and self._named

    def _is_timed_at(self) -> bool:
        self._more = True
        later = self._acts & {Act.TELL, Act.SHARE, Act.PAY, Act.RUN} and self._thing.target
        return not later or bool(self._acts & {Act.INVITE, Act.MAKE})
