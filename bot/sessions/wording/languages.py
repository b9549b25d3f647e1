"""Which language somebody writes in: a guess by common words, which decides nothing but wording.

English where it can't tell.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

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
