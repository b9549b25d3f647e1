"""Why a rule refuses a call, as `/why` says it behind the rule's name."""

from collections.abc import Mapping

from bot.domain.languages import Phrase
from bot.tools.budget.budgets import Measure, Span
from bot.tools.permission.gate import ELSEWHERE, MISFIT, REPEATED
from bot.tools.toolset.view import ToolStanding

ABSENT: Mapping[ToolStanding, Phrase] = {
    ToolStanding.ROLE: Phrase(
        "the person's role lacks it",
        "der Rolle der Person fehlt es",
        "le rôle de la personne ne l'a pas",
        "el rol de la persona no lo tiene",
        "il ruolo della persona non lo ha",
    ),
    ToolStanding.FOLDER: Phrase(
        "it belongs to another agent",
        "es gehört einem anderen Agenten",
        "cela appartient à un autre agent",
        "es de otro agente",
        "appartiene a un altro agente",
    ),
    ToolStanding.UNKNOWN: Phrase(
        "no tool has this name",
        "kein Werkzeug heißt so",
        "aucun outil ne porte ce nom",
        "ninguna herramienta se llama así",
        "nessuno strumento si chiama così",
    ),
    ToolStanding.RUN: Phrase(
        "it does not exist in this kind of run",
        "in dieser Art von Lauf gibt es das nicht",
        "cela n'existe pas dans ce genre d'exécution",
        "no existe en este tipo de ejecución",
        "non esiste in questo tipo di esecuzione",
    ),
    ToolStanding.INTEGRATION: Phrase(
        "a service that it needs is not connected",
        "ein Dienst, den es braucht, ist nicht verbunden",
        "un service nécessaire n'est pas connecté",
        "un servicio que necesita no está conectado",
        "un servizio che gli serve non è collegato",
    ),
    ToolStanding.UNSERVED: Phrase(
        "nothing here can run it",
        "nichts hier kann es ausführen",
        "rien ici ne peut l'exécuter",
        "nada de aquí puede ejecutarlo",
        "nulla qui può eseguirlo",
    ),
}
SPANS: Mapping[Span, Phrase] = {
    Span.TURN: Phrase(
        "for one request",
        "für eine Anfrage",
        "pour une demande",
        "para una petición",
        "per una richiesta",
    ),
    Span.PERSON: Phrase(
        "for one person and day",
        "für eine Person und einen Tag",
        "pour une personne et un jour",
        "para una persona y un día",
        "per una persona e un giorno",
    ),
    Span.CHANNEL: Phrase(
        "for this channel and day",
        "für diesen Kanal und Tag",
        "pour ce canal et ce jour",
        "para este canal y día",
        "per questo canale e giorno",
    ),
    Span.GUEST: Phrase(
        "for one guest and day",
        "für einen Gast und einen Tag",
        "pour un invité et un jour",
        "para un invitado y un día",
        "per un ospite e un giorno",
    ),
    Span.STRANGERS: Phrase(
        "for all strangers and one day",
        "für alle Fremden und einen Tag",
        "pour tous les inconnus et un jour",
        "para todos los desconocidos y un día",
        "per tutti gli sconosciuti e un giorno",
    ),
    Span.TOTAL: Phrase(
        "for everybody and one day",
        "für alle und einen Tag",
        "pour tous et un jour",
        "para todos y un día",
        "per tutti e un giorno",
    ),
    Span.SCHEDULE: Phrase(
        "for this scheduled task and month",
        "für diesen geplanten Auftrag und Monat",
        "pour cette tâche planifiée et ce mois",
        "para esta tarea programada y este mes",
        "per questa attività pianificata e questo mese",
    ),
}
MEASURES: Mapping[Measure, Phrase] = {
    Measure.USD: Phrase(
        "the money {whose} is spent",
        "das Geld {whose} ist ausgegeben",
        "l'argent {whose} est dépensé",
        "el dinero {whose} se ha gastado",
        "il denaro {whose} è speso",
    ),
    Measure.MODEL_CALLS: Phrase(
        "the model calls {whose} are used up",
        "die Modellaufrufe {whose} sind aufgebraucht",
        "les appels au modèle {whose} sont épuisés",
        "las llamadas al modelo {whose} se han agotado",
        "le chiamate al modello {whose} sono esaurite",
    ),
    Measure.TOOL_CALLS: Phrase(
        "the tool calls {whose} are used up",
        "die Werkzeugaufrufe {whose} sind aufgebraucht",
        "les appels d'outils {whose} sont épuisés",
        "las llamadas a herramientas {whose} se han agotado",
        "le chiamate a strumenti {whose} sono esaurite",
    ),
}
GIVEN: Mapping[str, Phrase] = {
    MISFIT: Phrase(
        "its arguments did not fit",
        "seine Angaben passten nicht",
        "ses arguments ne convenaient pas",
        "sus datos no encajaban",
        "i suoi dati non andavano bene",
    ),
    ELSEWHERE: Phrase(
        "a guest can't have anything posted elsewhere",
        "ein Gast kann nichts anderswohin schicken lassen",
        "un invité ne peut rien faire envoyer ailleurs",
        "un invitado no puede hacer enviar nada a otro lugar",
        "un ospite non può far mandare nulla altrove",
    ),
    REPEATED: Phrase(
        "this exact call was made too often",
        "genau dieser Aufruf kam zu oft",
        "cet appel exact a été fait trop souvent",
        "esta misma llamada se hizo demasiadas veces",
        "questa stessa chiamata è stata fatta troppo spesso",
    ),
}
CONFINED = Phrase(
    "{holder} does not allow it",
    "{holder} erlaubt es nicht",
    "{holder} ne le permet pas",
    "{holder} no lo permite",
    "{holder} non lo permette",
)
