"""What is kept of a person, by the names that counts of it have."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.domain.languages import Language, Phrase

_KEPT = (
    Phrase("approvals", "Freigaben", "approbations", "aprobaciones", "approvazioni"),
    Phrase(
        "attached files", "angehängte Dateien", "fichiers joints", "archivos adjuntos",
        "file allegati",
    ),
    Phrase("automations", "Automationen", "automatisations", "automatizaciones", "automazioni"),
    Phrase("bookings", "Buchungen", "réservations", "reservas", "prenotazioni"),
    Phrase("cards", "Karten", "cartes", "tarjetas", "schede"),
    Phrase(
        "changes that can be taken back",
        "Änderungen, die sich zurücknehmen lassen",
        "modifications annulables",
        "cambios que se pueden deshacer",
        "modifiche annullabili",
    ),
    Phrase("conversations", "Gespräche", "échanges", "conversaciones", "conversazioni"),
    Phrase("documents", "Dokumente", "documents indexés", "documentos", "documenti"),
    Phrase(
        "earlier wishes to forget",
        "frühere Wünsche zu vergessen",
        "souhaits d'oubli précédents",
        "deseos anteriores de olvidar",
        "desideri precedenti di dimenticare",
    ),
    Phrase(
        "entries of memory",
        "Einträge des Gedächtnisses",
        "entrées de la mémoire",
        "entradas de la memoria",
        "voci della memoria",
    ),
    Phrase(
        "entries of everybody's memory",
        "Einträge des Gedächtnisses aller",
        "entrées de la mémoire commune",
        "entradas de la memoria de todos",
        "voci della memoria di tutti",
    ),
    Phrase(
        "facts of conversations",
        "Fakten aus Gesprächen",
        "faits de conversations",
        "datos de conversaciones",
        "fatti di conversazioni",
    ),
    Phrase("files", "Dateien", "fichiers", "archivos", "file"),
    Phrase(
        "files about people",
        "Dateien über Leute",
        "fichiers sur des personnes",
        "archivos sobre personas",
        "file sulle persone",
    ),
    Phrase(
        "files of projects",
        "Dateien von Projekten",
        "fichiers de projets",
        "archivos de proyectos",
        "file di progetti",
    ),
    Phrase(
        "files that conversations saw",
        "Dateien, die Gespräche sahen",
        "fichiers vus dans des conversations",
        "archivos vistos en conversaciones",
        "file visti in conversazioni",
    ),
    Phrase("grants", "Erlaubnisse", "permissions", "permisos", "permessi"),
    Phrase(
        "knowledge entries",
        "Einträge des Wissens",
        "entrées de connaissances",
        "entradas de conocimientos",
        "voci di conoscenze",
    ),
    Phrase(
        "lines of conversations.jsonl",
        "Zeilen von conversations.jsonl",
        "lignes de conversations.jsonl",
        "líneas de conversations.jsonl",
        "righe di conversations.jsonl",
    ),
    Phrase(
        "lines of the audit", "Zeilen des Audits", "lignes de l'audit", "líneas de la auditoría",
        "righe dell'audit",
    ),
    Phrase(
        "lines of the log", "Zeilen des Logs", "lignes du journal", "líneas del registro",
        "righe del log",
    ),
    Phrase("meetings", "Besprechungen", "réunions", "reuniones", "riunioni"),
    Phrase(
        "memory files", "Dateien des Gedächtnisses", "fichiers de mémoire", "archivos de memoria",
        "file della memoria",
    ),
    Phrase("messages", "Nachrichten", "messages écrits", "mensajes", "messaggi"),
    Phrase("notes", "Notizen", "notes prises", "notas", "note"),
    Phrase(
        "notes about people",
        "Notizen über Leute",
        "notes sur des personnes",
        "notas sobre personas",
        "note sulle persone",
    ),
    Phrase(
        "posts on their way",
        "Beiträge auf dem Weg",
        "envois en cours",
        "envíos en camino",
        "invii in corso",
    ),
    Phrase("requests", "Anfragen", "demandes", "peticiones", "richieste"),
    Phrase(
        "requests in the log",
        "Anfragen im Log",
        "demandes du journal",
        "peticiones del registro",
        "richieste nel log",
    ),
    Phrase(
        "requests that tools served",
        "Anfragen, die Werkzeuge bedienten",
        "demandes servies par des outils",
        "peticiones atendidas por herramientas",
        "richieste servite da strumenti",
    ),
    Phrase(
        "requests that wait for an account",
        "Anfragen, die auf ein Konto warten",
        "demandes qui attendent un compte",
        "peticiones que esperan una cuenta",
        "richieste che aspettano un account",
    ),
    Phrase("schedules", "Zeitpläne", "planifications", "programaciones", "pianificazioni"),
    Phrase(
        "snapshots of projects",
        "Schnappschüsse von Projekten",
        "instantanés de projets",
        "instantáneas de proyectos",
        "istantanee di progetti",
    ),
    Phrase("summaries", "Zusammenfassungen", "résumés", "resúmenes", "riassunti"),
    Phrase(
        "things about to be learned",
        "Dinge, die gerade gelernt werden",
        "choses sur le point d'être apprises",
        "cosas a punto de aprenderse",
        "cose che stanno per essere imparate",
    ),
    Phrase("todos", "Aufgaben", "tâches", "tareas", "attività"),
    Phrase(
        "versions of files",
        "Fassungen von Dateien",
        "versions de fichiers",
        "versiones de archivos",
        "versioni di file",
    ),
)  # fmt: skip
KEPT: Mapping[str, Phrase] = {phrase.en: phrase for phrase in _KEPT}


def kept_counted(
    kind: str, count: int, language: Language, more: Mapping[str, Phrase] = MappingProxyType({})
) -> str:
    """`notes: 3`, behind a heading or between commas. `more`: the names of plug-ins."""
    phrase = KEPT.get(kind) or more.get(kind)
    name = phrase.said(language) if phrase else kind
    return f"{name} : {count}" if language is Language.FR else f"{name}: {count}"
