"""What became of somebody's link to connect a service."""

from bot.domain.languages import Phrase

OVER = Phrase(
    "That link is not valid any more: it was used before, or is older than {minutes} minutes. Ask"
    " for a new one with /connect.",
    "Dieser Link gilt nicht mehr: er wurde schon benutzt oder ist älter als {minutes} Minuten. Hol"
    " dir mit /connect einen neuen.",
    "Ce lien n'est plus valable : il a déjà servi, ou a plus de {minutes} minutes. Demandez-en un"
    " nouveau avec /connect.",
    "Ese enlace ya no vale: se usó antes o tiene más de {minutes} minutos. Pide uno nuevo con"
    " /connect.",
    "Quel link non vale più: è già stato usato o ha più di {minutes} minuti. Chiedine uno nuovo con"
    " /connect.",
)
CODE_REFUSED = Phrase(
    "{service} does not take that code. Open the link again, or ask for a new one with"
    " /connect {id}.",
    "{service} nimmt diesen Code nicht an. Öffne den Link noch einmal, oder hol dir mit"
    " /connect {id} einen neuen.",
    "{service} n'accepte pas ce code. Rouvrez le lien, ou demandez-en un nouveau avec"
    " /connect {id}.",
    "{service} no acepta ese código. Abre el enlace otra vez o pide uno nuevo con /connect {id}.",
    "{service} non accetta quel codice. Apri di nuovo il link o chiedine uno nuovo con"
    " /connect {id}.",
)
NOT_NOW = Phrase(
    "{service} could not be connected just now; the operator finds the reason in the log.",
    "{service} ließ sich gerade nicht verbinden; der Betreiber findet den Grund im Log.",
    "{service} n'a pas pu être connecté à l'instant ; l'exploitant en trouve la raison dans le"
    " journal.",
    "{service} no se pudo conectar ahora mismo; el operador encuentra el motivo en el registro.",
    "{service} non si è potuto collegare ora; il gestore trova il motivo nel log.",
)
IS_CONNECTED = Phrase(
    "{service} is connected.",
    "{service} ist verbunden.",
    "{service} est connecté.",
    "{service} está conectado.",
    "{service} è collegato.",
)
