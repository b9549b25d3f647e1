"""What people read beside the tasks of a plan, in each language."""

from collections.abc import Mapping

from bot.domain.languages import Language, Phrase
from bot.domain.plans import FailureKind, TaskActivity, TaskNote, TaskState

STATES: Mapping[TaskState, Phrase] = {
    TaskState.PENDING: Phrase("waits", "wartet", "en attente", "en espera", "in attesa"),
    TaskState.IN_PROGRESS: Phrase("at work", "in Arbeit", "en cours", "en curso", "in corso"),
    TaskState.COMPLETED: Phrase("done", "fertig", "fait", "hecha", "fatto"),
    TaskState.FAILED: Phrase("failed", "gescheitert", "échouée", "fallida", "fallito"),
}
FAILURES: Mapping[FailureKind, Phrase] = {
    FailureKind.TIMEOUT: Phrase(
        "took too long", "dauerte zu lange", "trop long", "tardó demasiado", "troppo lungo"
    ),
    FailureKind.RATE_LIMIT: Phrase(
        "too many requests",
        "zu viele Anfragen",
        "trop de requêtes",
        "demasiadas peticiones",
        "troppe richieste",
    ),
    FailureKind.TRANSPORT: Phrase(
        "no connection",
        "keine Verbindung",
        "pas de connexion",
        "sin conexión",
        "nessuna connessione",
    ),
    FailureKind.BAD_ARGUMENTS: Phrase(
        "a call did not fit",
        "ein Aufruf passte nicht",
        "un appel ne convenait pas",
        "una llamada no encajaba",
        "una chiamata non andava bene",
    ),
    FailureKind.DENIED: Phrase(
        "not allowed", "nicht erlaubt", "non autorisé", "no permitido", "non permesso"
    ),
    FailureKind.NOT_FOUND: Phrase(
        "not found", "nicht gefunden", "introuvable", "no encontrado", "non trovato"
    ),
    FailureKind.UNKNOWN: Phrase("failed", "gescheitert", "échec", "falló", "non riuscito"),
}
NOTES: Mapping[TaskActivity, Phrase] = {
    TaskActivity.AGAIN: Phrase(
        "trying again in a moment: {first}",
        "gleich noch ein Versuch: {first}",
        "nouvel essai dans un instant : {first}",
        "otro intento en un momento: {first}",
        "un altro tentativo tra poco: {first}",
    ),
    TaskActivity.SPLITTING: Phrase(
        "splitting it into smaller tasks",
        "wird in kleinere Aufgaben geteilt",
        "découpage en tâches plus petites",
        "dividiéndola en tareas menores",
        "la divido in compiti più piccoli",
    ),
    TaskActivity.SPLIT: Phrase(
        "as {first} smaller tasks",
        "als {first} kleinere Aufgaben",
        "en {first} tâches plus petites",
        "como {first} tareas menores",
        "come {first} compiti più piccoli",
    ),
    TaskActivity.INSTEAD: Phrase(
        "with {first} instead of {second}",
        "mit {first} statt {second}",
        "avec {first} au lieu de {second}",
        "con {first} en vez de {second}",
        "con {first} invece di {second}",
    ),
    TaskActivity.AROUND: Phrase(
        "planning around it",
        "wird umplant",
        "replanification sans elle",
        "replanificando sin ella",
        "ripianifico senza",
    ),
    TaskActivity.TRY: Phrase(
        "try {first} of {second}",
        "Versuch {first} von {second}",
        "essai {first} sur {second}",
        "intento {first} de {second}",
        "tentativo {first} di {second}",
    ),
}
STRUCK = Phrase("struck", "gestrichen", "retirée", "retirada", "tolto")
REPLACED = Phrase("replaced", "ersetzt", "remplacée", "sustituida", "sostituito")
STRIKES = Phrase(
    "{command} strike {task} takes a task out",
    "{command} strike {task} streicht eine Aufgabe",
    "{command} strike {task} retire une tâche",
    "{command} strike {task} quita una tarea",
    "{command} strike {task} toglie un compito",
)
ADDS = Phrase(
    "{command} add … adds one",
    "{command} add … ergänzt eine",
    "{command} add … en ajoute une",
    "{command} add … añade una",
    "{command} add … ne aggiunge uno",
)


def note_said(note: TaskNote, language: Language) -> str:
    """The present activity of a task."""
    first = note.first
    if note.kind is TaskActivity.AGAIN:
        first = FAILURES[FailureKind(first)].said(language)
    return NOTES[note.kind].said(language, first=first, second=note.second)
