"""Why a card asks, as a clause in each language.

The reason is stored in English: policies write their own, and `/why` tells them to operators.
"""

from collections.abc import Iterator

from bot.domain.approvals import Approval
from bot.domain.languages import Language, Phrase
from bot.domain.retelling import Retelling
from bot.tools.budget.extending import EXTEND_BUDGET

_OUTSIDE = Phrase(
    ", and text from outside is in this conversation",
    ", und in diesem Gespräch steht Text von außen; ein neues (/new) beginnt ohne ihn",
    ", et cette conversation contient du texte de l'extérieur ; une nouvelle (/new) commence sans",
    ", y en esta conversación hay texto de fuera; una nueva (/new) empieza sin él",
    ", e in questa conversazione c'è testo dall'esterno; una nuova (/new) comincia senza",
)


def _beside_outside(phrase: Phrase) -> Phrase:
    words = phrase.all
    return Phrase(*(f"{words[one]}{_OUTSIDE.all[one]}" for one in Language))


_REASONS = (
    Phrase(
        "it changes something outside of Bellhop",
        "das ändert etwas außerhalb von Bellhop",
        "cela modifie quelque chose en dehors de Bellhop",
        "cambia algo fuera de Bellhop",
        "cambia qualcosa fuori da Bellhop",
    ),
    Phrase(
        "it changes what Bellhop may do",
        "das ändert, was Bellhop darf",
        "cela change ce que Bellhop peut faire",
        "cambia lo que Bellhop puede hacer",
        "cambia che cosa può fare Bellhop",
    ),
    Phrase(
        "it destroys something that can't be brought back",
        "das zerstört etwas, das nicht zurückzuholen ist",
        "cela détruit quelque chose d'irrécupérable",
        "destruye algo que no se puede recuperar",
        "distrugge qualcosa che non si può recuperare",
    ),
    Phrase(
        "it changes what runs for you when you are not there",
        "das ändert, was für dich läuft, wenn du nicht da bist",
        "cela change ce qui tourne pour vous quand vous n'êtes pas là",
        "cambia lo que se ejecuta para ti cuando no estás",
        "cambia che cosa gira per te quando non ci sei",
    ),
    Phrase(
        "the policy wants a confirmation",
        "die Regeln verlangen eine Bestätigung",
        "les règles exigent une confirmation",
        "las reglas piden una confirmación",
        "le regole chiedono una conferma",
    ),
    Phrase(
        "it may change something, and another server's words are in this conversation",
        "das ändert vielleicht etwas, und in diesem Gespräch stehen Worte eines anderen Servers",
        "cela modifie peut-être quelque chose, et cette conversation contient les mots d'un autre"
        " serveur",
        "puede cambiar algo, y en esta conversación hay palabras de otro servidor",
        "forse cambia qualcosa, e in questa conversazione ci sono parole di un altro server",
    ),
    _beside_outside(
        Phrase(
            "it may change something: its server doesn't say that it only reads",
            "das ändert vielleicht etwas: sein Server sagt nicht, dass es nur liest",
            "cela modifie peut-être quelque chose : son serveur ne dit pas que cela lit seulement",
            "puede cambiar algo: su servidor no dice que solo lee",
            "forse cambia qualcosa: il suo server non dice che legge soltanto",
        )
    ),
    _beside_outside(
        Phrase(
            "it would open an address that was put together here",
            "das würde eine Adresse öffnen, die hier zusammengesetzt wurde",
            "cela ouvrirait une adresse composée ici",
            "abriría una dirección compuesta aquí",
            "aprirebbe un indirizzo composto qui",
        )
    ),
    _beside_outside(
        Phrase(
            "it saves instructions for later",
            "das merkt sich Anweisungen für später",
            "cela garde des instructions pour plus tard",
            "guarda instrucciones para más tarde",
            "salva istruzioni per dopo",
        )
    ),
    _beside_outside(
        Phrase(
            "it deletes or replaces what was kept",
            "das löscht oder ersetzt, was aufgehoben war",
            "cela supprime ou remplace ce qui était gardé",
            "borra o sustituye lo que estaba guardado",
            "cancella o sostituisce ciò che era conservato",
        )
    ),
    _beside_outside(
        Phrase(
            "it makes something that acts later",
            "das legt etwas an, das später handelt",
            "cela crée quelque chose qui agit plus tard",
            "crea algo que actúa más tarde",
            "crea qualcosa che agisce più tardi",
        )
    ),
)
"""All that Bellhop gives itself, by the English words with which they are stored."""

ABOUT_THIS_CALL = Retelling((
    Phrase(
        "it tells this text to everybody named there",
        "das sagt diesen Text allen, die dort genannt sind",
        "cela dit ce texte à tous ceux qui y sont nommés",
        "dice este texto a todos los que se nombran ahí",
        "dice questo testo a tutti quelli che vi sono nominati",
    ),
    Phrase(
        "it shows the whole workspace a text that was written in private",
        "das zeigt allen hier einen Text, der privat geschrieben wurde",
        "cela montre à tout l'espace un texte écrit en privé",
        "muestra a todo el espacio un texto escrito en privado",
        "mostra a tutto lo spazio un testo scritto in privato",
    ),
    Phrase(
        "it submits a form on {host}",
        "das schickt auf {host} ein Formular ab",
        "cela envoie un formulaire sur {host}",
        "envía un formulario en {host}",
        "invia un modulo su {host}",
    ),
    Phrase(
        "it uploads a file on {host}",
        "das lädt auf {host} eine Datei hoch",
        "cela téléverse un fichier sur {host}",
        "sube un archivo en {host}",
        "carica un file su {host}",
    ),
    Phrase(
        "it presses a button on {host}",
        "das drückt auf {host} einen Knopf",
        "cela appuie sur un bouton sur {host}",
        "pulsa un botón en {host}",
        "preme un pulsante su {host}",
    ),
    Phrase(
        "it presses a link that runs a script on {host}",
        "das drückt auf {host} einen Link, der ein Skript startet",
        "cela appuie sur un lien qui lance un script sur {host}",
        "pulsa un enlace que ejecuta un script en {host}",
        "preme un link che esegue uno script su {host}",
    ),
    Phrase(
        "it follows a link that does something on {host}",
        "das folgt auf {host} einem Link, der etwas tut",
        "cela suit un lien qui fait quelque chose sur {host}",
        "sigue un enlace que hace algo en {host}",
        "segue un link che fa qualcosa su {host}",
    ),
    Phrase(
        "it makes the page send something ({what}) on {host}",
        "das lässt die Seite auf {host} etwas senden ({what})",
        "cela fait envoyer quelque chose à la page ({what}) sur {host}",
        "hace que la página envíe algo ({what}) en {host}",
        "fa inviare qualcosa alla pagina ({what}) su {host}",
    ),
    Phrase(
        "it accepts a {kind} on {host}",
        "das bestätigt auf {host} eine Rückfrage ({kind})",
        "cela accepte une question ({kind}) sur {host}",
        "acepta una pregunta ({kind}) en {host}",
        "accetta una domanda ({kind}) su {host}",
    ),
))  # fmt: skip
"""Those with which single tools ask, with what stands in them; a whole reason is one of them."""


_USED_UP = Phrase(
    "{budget} of {of} is used up for {day}; a yes adds {more}",
    "{budget} von {of} ist für den {day} aufgebraucht",
    "{budget} de {of} est épuisé pour le {day}",
    "{budget} de {of} está agotado para el {day}",
    "{budget} di {of} è esaurito per il {day}",
)


def why_asked(approval: Approval, language: Language) -> str:
    """Why a card asks, behind the words of what is wanted."""
    if approval.tool == EXTEND_BUDGET and language is not Language.EN:
        return f" ({_USED_UP.said(language, **approval.arguments)})"
    return clause(approval.reason, language)


def clause(reason: str, language: Language) -> str:
    """The reason behind the words of what is wanted.

    Those of risks begin with `it`, those of policies are sentences of their own.
    """
    if language is not Language.EN:
        told = "; ".join(_told(reason, language))
        return f" ({told.rstrip('.')})" if told else ""
    if reason.startswith("it "):
        return f", which {reason.removeprefix('it ')}"
    return f" ({reason.rstrip('.')})" if reason else ""


def _told(reason: str, language: Language) -> Iterator[str]:
    """Each of them in this language; as it is where the operator wrote it."""
    whole = ABOUT_THIS_CALL.told(reason, language)
    if whole != reason:
        yield whole
        return
    while reason:
        known = next((one for one in _REASONS if reason.startswith(one.en)), None)
        if known is None:
            own, _, reason = reason.partition("; ")
            yield own
        else:
            yield known.said(language)
            reason = _behind(reason.removeprefix(known.en))


def _behind(rest: str) -> str:
    """What follows a reason and, in brackets, what was read and what to do."""
    if rest.startswith(" ("):
        depth = 0
        for at, char in enumerate(rest):
            depth += (char == "(") - (char == ")")
            if char == ")" and not depth:
                return rest[at + 1 :].removeprefix("; ")
    return rest.removeprefix("; ")
