"""Words that mean yes or no to a card, in English, German, French, Spanish and Italian.

The lists are closed: what they don't name is no verdict, and goes to the model. Which card is
meant, and whether words may mean one at all, is decided elsewhere (`verdicts`).
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping

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
