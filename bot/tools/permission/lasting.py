"""Whether a person's own words say the lasting thing that a call would make.

Text from outside must not become an instruction, take away what a person keeps, or act later,
unless the person asks for exactly that in this turn. Everything here is a reason to leave a
question out, so each doubt asks: a negation, a question, somebody else's words, a word that the
person did not type. See docs/rules.md#trust.
"""

import re
from collections.abc import Iterable, Sequence

from bot.domain.json_types import JsonObject
from bot.domain.lasting import Kept, Lasting, Makes
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.tools.permission import clause_words as lists
from bot.tools.permission import plain_words as plain
from bot.tools.permission.act_words import Act, apart
from bot.tools.permission.naming import naming_of
from bot.tools.permission.plain_orders import is_plain, reads_plainly
from bot.tools.permission.plain_tokens import Thing
from bot.tools.permission.records import Record, fitting_in, is_named, telling_words

BESIDE_OUTSIDE = ", and text from outside is in this conversation"
REASONS = {
    Lasting.INSTRUCTIONS: f"it saves instructions for later{BESIDE_OUTSIDE}",
    Lasting.REPLACES: f"it deletes or replaces what was kept{BESIDE_OUTSIDE}",
    Lasting.ACTS_LATER: f"it makes something that acts later{BESIDE_OUTSIDE}",
}

_WORD = re.compile(r"[\w'\u2019-]+")
_SENTENCE = re.compile(r"(?<=[.!?;\n])\s+")
_QUOTED = re.compile(r"\"([^\"\n]{1,200})\"|“([^”\n]{1,200})”|„([^“\n]{1,200})“|«([^»\n]{1,200})»")
_ASKS_FOR = re.compile(
    r"\W*(please )?(can|could|would|will) you\b|\W*(kannst|könntest|würdest) du\b"
    r"|\W*(peux|pourrais)-tu\b|\W*(puedes|podrías|puoi|potresti)\b",
    re.IGNORECASE,
)
_SMALL = plain.word_set(
    """
    a an the to me my i we our you your please and person user remind reminder der die das den dem
    ein eine einen mich mir mein meine bitte zu und daran erinnere le la les un une mon ma mes moi
    de d rappelle el los las una mi mis que recuérdame il lo gli mio mia di ricordami
    """
)
"""Words that change no sense; a negation is never one."""
_DOUBT = plain.word_set(
    """
    not no never none without don't dont doesn't didn't isn't won't can't cannot shouldn't mustn't
    stop avoid instead unless if whether why how what when who which did does was were
    says said say asks asked wants wanted wrote writes told tells claims suggests according
    nicht kein keine keinen nie niemals ohne statt falls ob warum wieso sagt sagte schreibt schrieb
    will wollte fragt fragte pas jamais sans sinon pourquoi dit demande veut écrit
    sin nunca jamás dice dijo quiere pide non mai senza dice vuole chiede
    """
)
_ACTS = {
    Lasting.ACTS_LATER: plain.word_set(
        """
        remind reminder reminders schedule every each daily weekly monthly later tomorrow wake
        erinnere erinner erinnerung jeden jede jedes täglich wöchentlich monatlich morgen später
        plane rappelle rappelle-moi rappel chaque demain quotidien recuérdame recuerda cada
    mañana programa
        ricordami ogni domani promemoria
        """
    ),
    Lasting.INSTRUCTIONS: plain.word_set(
        """
        always never remember prefer preference preferences future default rule rules skill
        instruction instructions immer nie niemals merke merk künftig toujours jamais souviens
        siempre nunca recuerda sempre mai ricorda
        """
    ),
    Lasting.REPLACES: plain.word_set(
        """
        delete remove drop erase clear discard forget overwrite replace rewrite rename change update
        edit correct restore cancel pause dismiss lösche lösch löschen entferne streiche ersetze
        ändere überschreibe vergiss supprime efface enlève remplace change annule oublie borra
        elimina quita reemplaza cambia olvida cancella rimuovi sostituisci modifica dimentica
        """
    ),
}
"""Words with which people ask for each kind. Without one of them, nobody asked for it."""


_AROUND = (
    _SMALL
    | plain.AFTER
    | plain.TODAY
    | lists.OPENING
    | lists.PLEASE
    | frozenset(word for prefix in lists.POLITE for word in prefix)
    | plain.word_set(
        """
        at on from in for set add create make new task todo that i'd want would like me my us
        yourself um am ab für dass mich dich mir stell stelle leg à le pour que dans mets ajoute
        a las el al pon añade alle il che di metti aggiungi per
        """
    )
)
_FRAME = {
    kind: (_AROUND | words | (plain.TIMES if kind is Lasting.ACTS_LATER else frozenset[str]()))
    for kind, words in _ACTS.items()
}
"""What may stand beside the words of a wish."""
_SIGNS = re.compile(r"[^\w\s.,:;!?'\u2019()/@#&+%…¿¡-]")
_JOINS = re.compile(r"(?:,|\s(?:and|und|et|y|e)|[.!?;\n])\s+")
_LIKE = {
    "forget": "delete", "dismiss": "delete", "overwrite": "update", "rewrite": "update",
    "restore": "update", "pause": "update", "vergiss": "lösche", "überschreibe": "ändere",
    "oublie": "supprime", "olvida": "borra", "dimentica": "cancella",
}  # fmt: skip
"""Verbs for what is kept here, and a verb of the same sense that orders know."""
_NOUNS = plain.word_set(
    "todo todos task note notes list file reminder document entry id page aufgabe notiz datei "
    "erinnerung tâche fichier tarea nota archivo compito"
)
_LIKE_WORDS = re.compile(rf"(?i)\b(?:{'|'.join(_LIKE)})\b")


def reason_to_ask(
    definition: ToolDefinition,
    arguments: JsonObject,
    makes: Sequence[Makes],
    said: Sequence[str],
    *,
    named: bool,
) -> str:
    """Why a call needs a yes although it stays within the person's own things; empty if not.

    `makes`: what a native tool says of the call. `said`: the person's own words of this turn.
    `named`: whether the tool marks targets and the person gave all of this call's.
    """
    for rule in definition.lasting:
        if rule.covers(_filled_in(definition, arguments, rule.argument)) and not (
            rule.kind is Lasting.REPLACES and named
        ):
            texts = tuple(_texts(arguments, rule.argument))
            if rule.kind is Lasting.REPLACES or not all_said(rule.kind, texts, said):
                return REASONS[rule.kind]
    return next((REASONS[one.kind] for one in makes if not _theirs(one, said)), "")


def _filled_in(definition: ToolDefinition, arguments: JsonObject, name: str) -> JsonObject:
    """With the default of an argument, where the program itself runs the tool and so vouches."""
    if name in arguments or not isinstance(definition.implementation, NativeImplementation):
        return arguments
    default = definition.parameters.get("properties", {}).get(name, {}).get("default")
    return arguments if default is None else {**arguments, name: default}


def _theirs(makes: Makes, said: Sequence[str]) -> bool:
    if makes.kind is not Lasting.REPLACES:
        return all_said(makes.kind, makes.texts, said)
    kept = makes.replaced
    return kept is not None and any(
        _plainly_replaces(one, kept)
        and any(_asks_to_replace(sentence, kept, makes.others) for sentence in _SENTENCE.split(one))
        for one in said
    )


def _plainly_replaces(said: str, kept: Kept) -> bool:
    """Whether every word of a message belongs to orders, one of them for what is kept."""
    record = Record("", kept.id, kept.names)
    stems = frozenset[str]() if kept.exact else telling_words(record)
    thing = Thing(stems=stems, names=(kept.id, *kept.names), nouns=_NOUNS)
    text = _LIKE_WORDS.sub(lambda found: _LIKE[found[0].lower()], said)
    return is_plain(apart(text), thing, frozenset({Act.DELETE, Act.CHANGE, Act.CLOSE}))


def all_said(kind: Lasting, texts: Iterable[str], said: Sequence[str]) -> bool:
    """Whether the person's own words ask for a thing of this kind, and say all of these texts."""
    found = [text for text in texts if text.strip()]
    return bool(found) and all(any(_says(kind, text, one) for one in said) for text in found)


def _says(kind: Lasting, text: str, said: str) -> bool:
    """Whether a message asks for it in these very words, in their order, without a gap.

    Everything else in it must be plain: words around such a wish, other orders, greetings.
    """
    said = plain.KIND_FACES.sub(" ", said).translate(plain.PLAIN_SIGNS)
    if plain.JEST.search(said) or set(_SIGNS.findall(said)) - set(text):
        return False
    return any(
        reads_plainly(head) and reads_plainly(tail) and _says_alone(kind, text, wish)
        for head, wish, tail in _cut(said)
    )


def _cut(said: str) -> Iterable[tuple[str, str, str]]:
    """A message cut into (what stands before, the wish, what follows), in every way."""
    yield "", said, ""
    edges = [found.end() for found in _JOINS.finditer(said)]
    ends = [found.start() for found in _SENTENCE.finditer(said)]
    for start in (0, *edges):
        for end in (*ends, len(said)):
            if start < end:
                head = re.sub(r"(?:,|\s(?:and|und|et|y|e))\s$", " ", said[:start])
                yield head, said[start:end], said[end:]


def _says_alone(kind: Lasting, text: str, said: str) -> bool:
    wanted, words = _content(text), _content(said)
    for start in range(len(words) - len(wanted) + 1 if wanted else 0):
        end = start + len(wanted)
        if words[start:end] == wanted:
            rest = {*words[:start], *words[end:], *_dropped(said)}
            if any(not (word in _FRAME[kind] or word.isdigit()) for word in rest):
                continue
            asked = rest if kind is Lasting.ACTS_LATER else rest | set(wanted)
            return bool(asked & _ACTS[kind]) and not rest & _DOUBT and not _is_question(said)
    return False


def _asks_to_replace(sentence: str, kept: Kept, others: Sequence[Kept]) -> bool:
    words = set(map(_folded, _WORD.findall(sentence)))
    if not words & _ACTS[Lasting.REPLACES] or words & _DOUBT or _is_question(sentence):
        return False
    tokens = {token.strip("\"'`.,;:!?()“”„«»") for token in sentence.split()}
    if kept.id in tokens or kept.exact:
        return kept.id in tokens or bool(tokens & set(kept.names))
    quotes = [next(filter(None, match.groups())) for match in _QUOTED.finditer(sentence)]
    records = [Record("", one.id, one.names) for one in (kept, *others)]
    naming = naming_of(sentence, quotes)
    fitting = fitting_in(records, naming)
    return [one.id for one in fitting] == [kept.id] and is_named(fitting[0], naming)


def _content(text: str) -> list[str]:
    return [word for word in map(_folded, _WORD.findall(text)) if word and word not in _SMALL]


def _dropped(text: str) -> set[str]:
    return {word for word in map(_folded, _WORD.findall(text)) if word in _SMALL}


def _folded(word: str) -> str:
    return word.casefold().replace("\u2019", "'").strip("'-")


def _is_question(text: str) -> bool:
    return any("?" in one and not _ASKS_FOR.match(one) for one in _SENTENCE.split(text))


def _texts(arguments: JsonObject, but: str) -> Iterable[str]:
    """All text of the arguments; a number or flag says nothing that could be followed."""
    for name, value in arguments.items():
        if name != but:
            yield from _inside(value)


def _inside(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _inside(item)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, dict):
        yield from _inside(list(value.values()))  # pyright: ignore[reportUnknownArgumentType]
