"""What people read of a run that ended early, in their language: what was changed, or nothing.

The language is a guess by common words, and decides nothing but wording. English where it can't
tell.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from bot.domain.characters import one_entry
from bot.domain.deeds import Deed, Done, Noun
from bot.domain.languages import Language, language_of_locale
from bot.domain.messages import IncomingMessage

_WORDS = {
    Language.EN: """
        the and is are you to of for in on it my me this that what please with not be can do
        does did have has a an i we our your from at as will would should how when where who
        which all add make send write show delete remind tell give list open close find
        search read save change move rename book cancel note remember about let us there
        then than up out new just if or but
    """,
    Language.DE: """
        der die das und ist sind nicht ich du mir mich mein meine meinen bitte ein eine
        einen zu für mit auf von den dem im in wie was wann wo wer alle alles noch auch
        kannst mach schreib schick zeig lösch erinnere setz es wir uns ihr sie er hat habe
        am um morgen heute leite starte überweise hak lies such suche finde frag sag stell
        ändere verschiebe trag notier merk schließ öffne könntest wird nach bei aus vor über
        des nur wenn
    """,
    Language.FR: """
        le la les et est sont pas je tu moi mon ma mes un une des du de à au aux pour avec
        sur dans que qui quoi quand où comment tous toutes ce cette ces elle nous vous
        ajoute envoie écris montre supprime rappelle fais plaît demain aujourd hui ne se
        renomme archive ferme coche modifie efface lance ouvre cherche trouve lis note garde
        mets dis qu y être fait chez dès votre notre leur ses
    """,
    Language.ES: """
        el la los las y es son no yo tú mi mis un una unos de del a al para con en por que
        qué quién cuándo dónde cómo todo todos todas este esta esto él ella nosotros añade
        envía escribe muestra borra recuérdame haz favor mañana hoy se me lo elimina reenvía
        cierra marca completa ejecuta abre busca encuentra lee guarda cambia mueve pon dime
        dile ponme hay fue ser hecho cuál sobre muy también
    """,
    Language.IT: """
        il lo la i gli le e è sono non io tu mio mia miei un una uno di del della a al alla
        per con su in che chi cosa quando dove come tutto tutti tutte questo questa lui lei
        noi aggiungi invia manda scrivi mostra cancella ricordami fai favore domani oggi si
        mi ne disdici inserisci condividi inoltra apri chiudi cerca trova leggi salva cambia
        sposta metti dimmi nel nella nei dal dalla dell nell anche sul sulla degli delle
        essere fatto ho ha
    """,
}
_LETTERS = {
    Language.DE: "äöüß",
    Language.FR: "çêëîïœûâ",
    Language.ES: "ñ¿¡",
    Language.IT: "ìò",
}
_WORD = re.compile(r"[^\W\d_]+")
_READ_CHARS = 2_000


def _weights() -> dict[str, dict[Language, float]]:
    """How much each word speaks for a language: one vote, shared by those that have it."""
    having: dict[str, list[Language]] = {}
    for language, words in _WORDS.items():
        for word in words.split():
            having.setdefault(word, []).append(language)
    return {
        word: dict.fromkeys(languages, 1 / len(languages)) for word, languages in having.items()
    }


_WEIGHTS = _weights()


def language_for(message: IncomingMessage, earlier: Iterable[str] = ()) -> Language:
    """For whoever wrote it: what they write in, newest first, else what their app is set to."""
    known = _shown_by(chain([message.own_words], earlier)) or language_of_locale(message.locale)
    return known or Language.EN


def language_of(texts: Iterable[str]) -> Language:
    """The language of texts by one person, the newest first: the first that shows one."""
    return _shown_by(texts) or Language.EN


def _shown_by(texts: Iterable[str]) -> Language | None:
    beginnings = (text[:_READ_CHARS] for text in texts)  # a kept one may be part of a long paste
    return next(filter(None, map(_shown_in, beginnings)), None)


@lru_cache(maxsize=128)
def _shown_in(text: str) -> Language | None:
    """Kept, because a turn asks several times for the same words."""
    votes = dict.fromkeys(Language, 0.0)
    folded = text.casefold()
    for word in _WORD.findall(folded):
        for language, weight in _WEIGHTS.get(word, {}).items():
            votes[language] += weight
    for language, letters in _LETTERS.items():
        votes[language] += sum(1 for char in folded if char in letters)
    best, second = sorted(Language, key=votes.__getitem__, reverse=True)[:2]
    return best if votes[best] > votes[second] else None


_SHOWN = 5


@dataclass(frozen=True)
class _Words:
    """One language: sentences, nouns (`f` for feminine ones), verbs (masculine, feminine)."""

    stopped: str
    expired: str
    exhausted: str
    again: str
    done: str
    more: str
    unsure: str
    outside: str
    quotes: tuple[str, str]
    nouns: Mapping[Noun, tuple[str, str]]
    verbs: Mapping[Done, tuple[str, str]]


def _nouns(*words: str) -> Mapping[Noun, tuple[str, str]]:
    """In the order of `Noun`; a feminine one ends with `/f`."""
    named = [noun for noun in Noun if noun is not Noun.OUTSIDE]
    pairs = [tuple(word.partition("/")[::2]) for word in words]
    return {noun: (pair[0], pair[1]) for noun, pair in zip(named, pairs, strict=True)}


def _verbs(*words: str) -> Mapping[Done, tuple[str, str]]:
    """In the order of `Done`; `sent` or `ajouté/ajoutée`."""
    pairs = [word.partition("/")[::2] for word in words]
    return {done: (one, other or one) for done, (one, other) in zip(Done, pairs, strict=True)}


_EN = _Words(
    stopped="Stopped.",
    expired="I waited long for your answer and have stopped now.",
    exhausted="I used up the steps I have for one request without getting to an answer.",
    again="Write to me again if it still matters.",
    done="Done until then: {}.",
    more="and {} more",
    unsure="One step was cut off; whether it took effect is unknown.",
    outside="a change in another service",
    quotes=("“", "”"),
    nouns=_nouns(
        *("todo", "note", "memory entry", "file", "message", "mail", "event", "reminder"),
        *("schedule", "issue", "page", "meeting", "task"),
    ),
    verbs=_verbs("added", "changed", "completed", "dismissed", "deleted", "sent"),
)
_DE = _Words(
    stopped="Angehalten.",
    expired="Ich habe lange auf deine Antwort gewartet und jetzt aufgehört.",
    exhausted="Meine Schritte für eine Anfrage sind aufgebraucht, ohne dass ich eine Antwort habe.",
    again="Schreib mir wieder, wenn es noch wichtig ist.",
    done="Bis dahin erledigt: {}.",
    more="und {} weitere",
    unsure="Ein Schritt wurde abgebrochen; ob er gewirkt hat, ist unbekannt.",
    outside="eine Änderung in einem anderen Dienst",
    quotes=("„", "“"),
    nouns=_nouns(
        *("Aufgabe", "Notiz", "Eintrag", "Datei", "Nachricht", "Mail", "Termin", "Erinnerung"),
        *("Zeitplan", "Issue", "Seite", "Besprechung", "Auftrag"),
    ),
    verbs=_verbs("hinzugefügt", "geändert", "abgehakt", "verworfen", "gelöscht", "verschickt"),
)
_FR = _Words(
    stopped="Arrêté.",
    expired="J'ai longtemps attendu votre réponse et je me suis arrêté.",
    exhausted="J'ai épuisé les étapes d'une demande sans arriver à une réponse.",
    again="Écrivez-moi à nouveau si c'est encore utile.",
    done="Déjà fait : {}.",
    more="et {} autres",
    unsure="Une étape a été interrompue ; on ne sait pas si elle a eu un effet.",
    outside="une modification dans un autre service",
    quotes=("« ", " »"),
    nouns=_nouns(
        *("tâche/f", "note/f", "entrée/f", "fichier", "message", "e-mail", "événement", "rappel"),
        *("planification/f", "ticket", "page/f", "réunion/f", "mission/f"),
    ),
    verbs=_verbs(
        *("ajouté/ajoutée", "modifié/modifiée", "terminé/terminée", "écarté/écartée"),
        *("supprimé/supprimée", "envoyé/envoyée"),
    ),
)
_ES = _Words(
    stopped="Detenido.",
    expired="Esperé mucho tu respuesta y ahora lo he dejado.",
    exhausted="Agoté los pasos de una petición sin llegar a una respuesta.",
    again="Escríbeme otra vez si aún importa.",
    done="Hecho hasta entonces: {}.",
    more="y {} más",
    unsure="Un paso se interrumpió; no se sabe si tuvo efecto.",
    outside="un cambio en otro servicio",
    quotes=("«", "»"),
    nouns=_nouns(
        *("tarea/f", "nota/f", "entrada/f", "archivo", "mensaje", "correo", "evento"),
        *("recordatorio", "programación/f", "incidencia/f", "página/f", "reunión/f", "encargo"),
    ),
    verbs=_verbs(
        *("añadido/añadida", "modificado/modificada", "completado/completada"),
        *("descartado/descartada", "borrado/borrada", "enviado/enviada"),
    ),
)
_IT = _Words(
    stopped="Fermato.",
    expired="Ho aspettato a lungo la tua risposta e ora mi sono fermato.",
    exhausted="Ho esaurito i passaggi di una richiesta senza arrivare a una risposta.",
    again="Scrivimi di nuovo se è ancora importante.",
    done="Già fatto: {}.",
    more="e altri {}",
    unsure="Un passaggio è stato interrotto; non si sa se ha avuto effetto.",
    outside="una modifica in un altro servizio",
    quotes=("«", "»"),
    nouns=_nouns(
        *("attività/f", "nota/f", "voce/f", "file", "messaggio", "e-mail/f", "evento"),
        *("promemoria", "pianificazione/f", "segnalazione/f", "pagina/f", "riunione/f"),
        "incarico",
    ),
    verbs=_verbs(
        *("aggiunto/aggiunta", "modificato/modificata", "completato/completata"),
        *("scartato/scartata", "cancellato/cancellata", "inviato/inviata"),
    ),
)
_ALL = {
    Language.EN: _EN,
    Language.DE: _DE,
    Language.FR: _FR,
    Language.ES: _ES,
    Language.IT: _IT,
}


def stopped(deeds: Sequence[Deed], *, unsure: bool, language: Language) -> str:
    """For somebody who stopped a request."""
    return _sentences(_ALL[language].stopped, deeds, unsure, "", language)


def expired(deeds: Sequence[Deed], *, unsure: bool, language: Language) -> str:
    """For somebody who never answered a question."""
    words = _ALL[language]
    return _sentences(words.expired, deeds, unsure, words.again, language)


def exhausted(deeds: Sequence[Deed], language: Language) -> str:
    """For somebody whose request took too many steps."""
    return _sentences(_ALL[language].exhausted, deeds, False, "", language)


def _sentences(
    first: str, deeds: Sequence[Deed], unsure: bool, last: str, language: Language
) -> str:
    words = _ALL[language]
    said = [first, _done(deeds, words) if deeds else "", words.unsure if unsure else "", last]
    return " ".join(one for one in said if one)


def _done(deeds: Sequence[Deed], words: _Words) -> str:
    """Each change once, as its person calls it."""
    said = list(dict.fromkeys(_phrase(one, words) for one in deeds))
    more = [words.more.format(len(said) - _SHOWN)] if len(said) > _SHOWN else []
    return words.done.format("; ".join([*said[:_SHOWN], *more]))


def _phrase(deed: Deed, words: _Words) -> str:
    if deed.noun is Noun.OUTSIDE:
        return words.outside
    noun, gender = words.nouns[deed.noun]
    verb = words.verbs[deed.done][1 if gender else 0]
    opening, closing = ("`", "`") if deed.noun is Noun.FILE else words.quotes
    name = one_entry(deed.name).strip()
    return f"{noun} {opening}{name}{closing} {verb}" if name else f"{noun} {verb}"
