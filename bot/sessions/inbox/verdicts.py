"""Whether somebody's words or reaction decide a card: only where they can mean nothing else.

They do as a reply to the card itself, or as the person's next message while it is the newest thing
there and asks the only open question. After other talk the card is shown again instead.

The words that mean yes or no are closed lists in English, German, French, Spanish and Italian.
What they don't name is no verdict, and goes to the model.

Of reactions ✅ and ❌ decide a card, 👍 and 👎 rate an answer. A decision counts only from the
card's owner, and only while no newer card waits there.

See docs/rules.md#approvals.
"""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field

from bot.domain.access import Person
from bot.domain.approvals import Approval
from bot.domain.database import Database, Row, Unit
from bot.domain.messages import Choice, Command, IncomingMessage
from bot.domain.platforms import KnownPlatforms, PlatformTraits
from bot.domain.step_keys import step_in, turn_of
from bot.domain.turns import Question
from bot.sessions.outbox.card_store import KeptCard, cards_of, posted_cards
from bot.sessions.records.conversation_store import newest_guard, newest_rows
from bot.sessions.records.envelope import receipt_ids
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.plans_store import has_lines
from bot.tools.permission.shown import calls_of
from bot.turns.engine import TurnEngine

LONGEST_VERDICT = 80
_YES = (
    *("yes", "yeah", "yep", "yup", "ok", "okay", "sure", "approved?", "confirmed", "agreed"),
    *("please do", "go ahead", "do it", "do that"),
    *("ja", "jawohl", "gerne?", "einverstanden", "in ordnung", "genehmigt", "mach(e)? (es|das)"),
    *("oui", "ouais", "daccord", "vas y", "allez y", "bien sur"),
    *("si", "vale", "claro", "de acuerdo", "hazlo", "adelante"),
    *("va bene", "daccordo", "certo", "fallo", "procedi"),
)
_NO = (
    *("no", "nope", "nah", "dont", "do not", "rejected?", "better not", "not now", "not yet"),
    *("nein", "nee", "lieber nicht", "bitte nicht", "jetzt nicht", "abgelehnt"),
    *("non", "pas maintenant", "plutot pas", "surtout pas"),
    *("mejor no", "ahora no", "no lo hagas"),
    *("meglio di no", "non ora", "non farlo"),
)
_POLITE = (
    *("please", "thanks", "thank you", "bitte", "danke", "sil (te|vous) plait", "merci"),
    *("por favor", "gracias", "per favore", "grazie"),
)
_GO = (
    *("go", "go for it", "do", "do so", "proceed", "now", "right away", "all", "all of them"),
    *("both", "los", "leg los", "nur zu", "weiter", "jetzt", "sofort", "alle", "beide"),
    *("tu (es|das)", "fais le", "fais ca", "maintenant", "tous", "les deux"),
    *("ahora", "procede", "todos", "vai", "adesso", "ora", "avanti", "tutti", "pure"),
)
_STAY = (
    *("do it", "do that", "leave it", "forget it", "not now", "not yet", "rather not"),
    *("lass (es|das)", "vergiss (es|das)", "nicht jetzt", "noch nicht", "mach (es|das) nicht"),
    *("laisse", "ne le fais pas", "oublie", "dejalo", "lascia", "lascia stare"),
)
_MEANINGS: Mapping[str, tuple[str, ...]] = {
    "send": ("send", "post", "publish", "mail", "email", "share", "reply", "message", "submit"),
    "close": ("close", "resolve", "complete", "finish", "done"),
    "delete": ("delete", "remove", "wipe", "purge", "destroy", "erase", "trash"),
    "create": ("create", "make", "add", "new", "open", "book", "schedule", "invite", "order"),
    "update": ("update", "edit", "change", "move", "rename", "assign", "set"),
    "run": ("run", "start", "restart", "execute", "deploy", "release", "apply"),
    "pay": ("pay", "buy", "transfer", "order"),
    "save": ("save", "write", "keep", "store"),
    "merge": ("merge",),
    "archive": ("archive",),
}
"""Words for what a call does, by meaning; names of tools and their arguments use them."""
_VERBS: Mapping[str, tuple[str, ...]] = {
    "send": (
        *("send", "post", "publish", "mail", "share", "submit", "schick", "schicke", "sende"),
        *("send(e)? ab", "poste", "veroffentliche", "envoie", "envoyez", "publie", "partage"),
        *("envia", "manda", "publica", "invia", "pubblica"),
    ),
    "close": (
        *("close", "resolve", "complete", "finish", "schliess", "schliesse", "beende"),
        *("ferme", "fermez", "termine", "cierra", "termina", "chiudi"),
    ),
    "delete": (
        *("delete", "remove", "erase", "losch", "losche", "entferne", "supprime", "efface"),
        *("enleve", "borra", "elimina", "quita", "cancella", "rimuovi"),
    ),
    "create": (
        *("create", "make", "add", "book", "schedule", "open", "erstell", "erstelle", "leg"),
        *("buch", "buche", "offne", "cree", "ajoute", "reserve", "ouvre", "crea", "anade"),
        *("reserva", "abre", "aggiungi", "prenota", "apri"),
    ),
    "update": (
        *("update", "move", "rename", "assign", "aktualisiere", "verschieb", "verschiebe"),
        *("deplace", "renomme", "actualiza", "mueve", "aggiorna", "sposta"),
    ),
    "run": (
        *("run", "start", "restart", "execute", "deploy", "release", "starte", "lance"),
        *("demarre", "ejecuta", "inicia", "lanza", "esegui", "avvia"),
    ),
    "pay": ("pay", "buy", "transfer", "order", "bezahl", "bezahle", "kauf", "kaufe", "paie",
            "achete", "paga", "compra"),
    "save": ("save", "keep", "speicher", "speichere", "enregistre", "guarda", "salva"),
    "merge": ("merge",),
    "archive": ("archive", "archiviere", "archiva", "archivia"),
}  # fmt: skip
"""Verbs that may follow a yes, with a pronoun, by meaning; without accents."""
_AND = "(and|und|et|y|e)"
_PRONOUN = "(it|them|that|this|es|das|sie|ihn|le|la|les|ca|cela)"
_ATTACHED = "(lo|la|los|las|li|le|gli)"


def _any(words: Iterable[str]) -> str:
    return f"({'|'.join(words)})"


def _acts(verbs: Iterable[str]) -> str:
    """`close it`, `schliess es`, `cierralo`."""
    listed = _any(verbs)
    return f"({listed} {_PRONOUN}( (ab|zu))?|{listed}{_ATTACHED})"


_ALL_VERBS = [verb for verbs in _VERBS.values() for verb in verbs]
_AGREES = re.compile(
    f"{_any(_YES)}( ({_AND} )?({_any(_YES)}|{_any(_POLITE)}|{_any(_GO)}|{_acts(_ALL_VERBS)}))*"
)
_REFUSES = re.compile(
    f"{_any(_NO)}( ({_any(_NO)}|{_any(_POLITE)}|{_any(_STAY)}|(dont|do not) {_acts(_ALL_VERBS)}))*"
)
_MEANT = {meaning: re.compile(rf"\b{_acts(verbs)}\b") for meaning, verbs in _VERBS.items()}
_NUMBER = re.compile(r"(?:(?:number|nummer|numero|nr|no)\.? )?#?([1-9])[.)]?")
_ASKS = re.compile(r"[?\uff1f\u061f](?![\w=&/%-])")


def verdict_of(text: str) -> bool | None:
    """Whether words mean yes or no; None for anything else. They must be the whole message."""
    words = _plain(text)
    if words is None:
        return None
    return True if _AGREES.fullmatch(words) else False if _REFUSES.fullmatch(words) else None


def number_of(text: str) -> int | None:
    """The number of a choice, if the message is that alone."""
    found = _NUMBER.fullmatch(text.strip().casefold())
    return int(found[1]) if found else None


def contradicts(text: str, does: Iterable[str]) -> bool:
    """Whether a yes names another act ("yes, delete it") than these words of the call."""
    words = _plain(text) or ""
    named = {meaning for meaning, verb in _MEANT.items() if verb.search(words)}
    known = {
        meaning for word in does for meaning, own in _MEANINGS.items() if word.casefold() in own
    }
    return bool(named and known and not named & known)


def asks_something(text: str) -> bool:
    """Whether a text may ask a question, which a yes could answer."""
    return _ASKS.search(text) is not None


def _plain(text: str) -> str | None:
    """Words without case, accents and punctuation; None for what can't be a verdict."""
    if len(text) > LONGEST_VERDICT or re.search(r"[?\u00bf\uff1f\n>]", text.strip()):
        return None
    folded = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    bare = bare.replace("\u2019", "").replace("'", "")
    words = " ".join(re.sub(r"[,.!;:\u2013\u2014-]+", " ", bare).split())
    return words or None


def option_of(question: Question, typed: str, traits: PlatformTraits) -> str | None:
    """The option whose printed number somebody typed.

    None where no numbers stand, and where the words are an option themselves: "2" of "1, 2 or 5".
    """
    number, options = number_of(typed), question.options
    if number is None or number > len(options) or typed.strip() in options:
        return None
    choices = [Choice(option, question.ref, "answer", option) for option in options]
    return options[number - 1] if traits.prints_numbers(choices) else None


LOOKED_AT = 12
"""Newest messages of a place; a card above them is not what somebody answers."""


@dataclass(frozen=True)
class Meant:
    """The command that words stand for; `guard` fails if something else was said meanwhile."""

    command: Command
    guard: Unit = Unit()


@dataclass(frozen=True)
class Verdicts:
    """Reads yes, no and numbers."""

    database: Database
    approvals: ApprovalStore
    open_here: Callable[[Person, str], Awaitable[list[str]]]
    """References of what a person may decide in a conversation."""
    platforms: KnownPlatforms = field(default_factory=lambda: KnownPlatforms(()))

    async def of(self, message: IncomingMessage, person: Person) -> Meant | None:
        """What these words decide, or that the card is shown again; None for ordinary words."""
        words = message.own_words
        if message.attachments or message.to_others:
            return None
        if verdict_of(words) is None and number_of(words) is None:
            return None
        if message.answers is not None:
            replied = await self._replied_to(message, person)
            if replied is not None:
                return self._decision(words, *replied)
        refs = await self.open_here(person, message.conversation.key)
        approval = await self.approvals.get(refs[0]) if len(refs) == 1 else None
        return None if approval is None else await self._next(message, approval)

    async def _replied_to(
        self, message: IncomingMessage, person: Person
    ) -> tuple[Approval, KeptCard] | None:
        """The open card that the message replies to."""
        there = message.conversation
        for approval in await self.approvals.open_for(person):
            for card in await cards_of(self.database, approval.ref):
                if message.answers not in card.posted.receipt.message_ids:
                    continue
                # In a thread below the card, nothing else may have been said.
                same = card.posted.message.target.conversation == there
                alone = same or not await newest_rows(self.database, there.key, 1)
                if _is_in(card, message) and alone:
                    return approval, card
        return None

    async def _next(self, message: IncomingMessage, approval: Approval) -> Meant | None:
        """By the newest messages of the place."""
        there = message.conversation.key
        cards = {card.posted.key: card for card in await cards_of(self.database, approval.ref)}
        rows = await newest_rows(self.database, there, LOOKED_AT)
        position = next((n for n, row in enumerate(rows) if row["key"] in cards), None)
        if position is None or any(map(_asks, rows[:position])):
            return None
        card = cards[rows[position]["key"]]
        if _answers_else(message, card):
            return None
        if position > 0:
            return Meant(Command("approvals", approval.ref))
        if message.sent_at < card.posted.receipt.sent_at:
            return None
        if _asked_before(rows[1:]) and not self._has_number(message, card):
            return None
        meant = self._decision(message.own_words, approval, card)
        return None if meant is None else Meant(meant.command, newest_guard(there, rows[0]["id"]))

    def _has_number(self, message: IncomingMessage, card: KeptCard) -> bool:
        """Whether it is a number that stands on the card alone, whatever was asked above it."""
        prints = self.platforms[message.conversation.platform].prints_numbers
        return number_of(message.own_words) is not None and prints(card.posted.message.choices)

    def _decision(self, words: str, approval: Approval, card: KeptCard) -> Meant | None:
        verdict, number, ref = verdict_of(words), number_of(words), approval.ref
        if verdict is False:
            return Meant(Command("reject", ref))
        if verdict and contradicts(words, _does(approval)):
            return Meant(Command("approvals", ref))
        if verdict:
            return Meant(Command("approve", ref))
        choices = card.posted.message.choices
        # The calls of a plan have numbers, too.
        if number is None or number > len(choices) or len(choices) < 2 or has_lines(approval):
            return None
        verb, _, scope = choices[number - 1].verb.partition("_")
        return Meant(Command(verb, f"{ref} {scope}".strip()))


def _answers_else(message: IncomingMessage, card: KeptCard) -> bool:
    """Whether it replies to something else, or is written in another thread than the card."""
    root = card.posted.message.target.start_thread_from
    return message.answers not in {None, root} and not message.conversation.id.endswith(
        message.answers or ""
    )


def _is_own(row: Row) -> bool:
    return str(row["author"]).startswith("agent:")


def _asks(row: Row) -> bool:
    """Whether this message of ours may ask something that a yes could answer."""
    return _is_own(row) and asks_something(str(row["text"]))


def _asked_before(rows: list[Row]) -> bool:
    """Whether what we said directly above a card asks something, too."""
    for row in rows:
        if not _is_own(row):
            return False
        if _asks(row):
            return True
    return False


def _does(approval: Approval) -> list[str]:
    """The words of the calls: names of tools, and short values of arguments."""
    texts = [
        text
        for tool, arguments in calls_of(approval)
        for text in (
            tool,
            *(one for one in arguments.values() if isinstance(one, str) and len(one) <= 20),
        )
    ]
    return [word for text in texts for word in re.findall("[a-z]+", text.casefold())]


_SIGNS = {"✅": "approve", "✔": "approve", "❌": "reject", "👍": "good", "👎": "bad"}
_NAMES: Mapping[str, str] = {
    "white_check_mark": "✅",
    "heavy_check_mark": "✔",
    "x": "❌",
    "+1": "👍",
    "thumbsup": "👍",
    "-1": "👎",
    "thumbsdown": "👎",
}
"""What platforms call these signs that send names."""
_LOOKS = str.maketrans(dict.fromkeys([0xFE0F, *range(0x1F3FB, 0x1F400)]))
"""Marks behind a sign that change its look and not its meaning."""


def sign_of(emoji: str, *, named: bool) -> str:
    """What an emoji stands for: `approve`, `reject`, `good`, `bad`, or nothing.

    `named`: the platform sends names that nobody else can give to another picture.
    """
    bare = emoji.partition("::")[0] if named else emoji
    sign = _NAMES.get(bare, bare) if named else bare
    return _SIGNS.get(sign.translate(_LOOKS), "")


@dataclass(frozen=True)
class QuickAnswers:
    """Reads what a reaction of a person decides about our own messages."""

    database: Database
    engine: TurnEngine
    approvals: ApprovalStore
    platforms: KnownPlatforms

    async def of(self, message: IncomingMessage, person: Person) -> Command | None:
        """The command that it stands for; None for any other reaction."""
        action = message.action
        if action is None or message.missed:
            return None
        named = self.platforms[message.conversation.platform].names_emoji
        sign, posted = sign_of(action.value, named=named), action.ref.rpartition(":")[2]
        match sign:
            case "approve" | "reject":
                return await self._decision(sign, posted, message, person)
            case "good" | "bad":
                return await self._rating(sign, posted, message)
            case _:
                return None

    async def _decision(
        self, verb: str, posted: str, message: IncomingMessage, person: Person
    ) -> Command | None:
        """A yes or no; on an older card it only shows that card again."""
        for approval in await self.approvals.open_for(person):
            if approval.person != person.id:
                continue
            for card in await cards_of(self.database, approval.ref):
                if posted not in card.posted.receipt.message_ids or not _is_in(card, message):
                    continue
                here = [one for one in await posted_cards(self.database) if _is_in(one, message)]
                newest = max(here, key=lambda one: one.posted.receipt.sent_at)
                is_newest = newest.posted.key == card.posted.key
                return Command(verb if is_newest else "approvals", approval.ref)
        return None

    async def _rating(self, sign: str, posted: str, message: IncomingMessage) -> Command | None:
        """The rating of one of the newest answers here; `/rate` checks whose it is."""
        for row in await newest_rows(self.database, message.conversation.key, LOOKED_AT):
            key = str(row["key"])
            record = await self.engine.recorded(turn_of(key)) if "/" in key else None
            if record is not None and posted in receipt_ids(record.steps.get(step_in(key))):
                return Command("rate", f"{record.ref} {sign}")
        return None


def _is_in(card: KeptCard, message: IncomingMessage) -> bool:
    place, there = card.posted.message.target.conversation, message.conversation
    return place == there or place.channel_key == there.channel_key
