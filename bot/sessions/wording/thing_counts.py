"""What is kept under a person id, counted by kind."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

BESIDE_ROWS = Phrase(
    "what is in memory, projects or tokens",
    "was im Gedächtnis, in Projekten oder Zugängen steht",
    "ce qui est en mémoire, dans des projets ou des jetons",
    "lo que hay en la memoria, proyectos o credenciales",
    "ciò che sta in memoria, progetti o credenziali",
)
THINGS: Mapping[str, CountedPhrase] = {
    "messages": CountedPhrase(
        Phrase(
            "{count} message",
            "{count} Nachricht",
            "{count} message",
            "{count} mensaje",
            "{count} messaggio",
        ),
        Phrase(
            "{count} messages",
            "{count} Nachrichten",
            "{count} messages",
            "{count} mensajes",
            "{count} messaggi",
        ),
    ),
    "todos": CountedPhrase(
        Phrase(
            "{count} todo", "{count} Aufgabe", "{count} tâche", "{count} tarea", "{count} attività"
        ),
        Phrase(
            "{count} todos",
            "{count} Aufgaben",
            "{count} tâches",
            "{count} tareas",
            "{count} attività",
        ),
    ),
    "notes": CountedPhrase(
        Phrase("{count} note", "{count} Notiz", "{count} note", "{count} nota", "{count} nota"),
        Phrase(
            "{count} notes", "{count} Notizen", "{count} notes", "{count} notas", "{count} note"
        ),
    ),
    "knowledge_entries": CountedPhrase(
        Phrase(
            "{count} entry of knowledge",
            "{count} Eintrag des Wissens",
            "{count} entrée de connaissances",
            "{count} entrada de conocimientos",
            "{count} voce di conoscenze",
        ),
        Phrase(
            "{count} entries of knowledge",
            "{count} Einträge des Wissens",
            "{count} entrées de connaissances",
            "{count} entradas de conocimientos",
            "{count} voci di conoscenze",
        ),
    ),
    "collected_documents": CountedPhrase(
        Phrase(
            "{count} document",
            "{count} Dokument",
            "{count} document",
            "{count} documento",
            "{count} documento",
        ),
        Phrase(
            "{count} documents",
            "{count} Dokumente",
            "{count} documents",
            "{count} documentos",
            "{count} documenti",
        ),
    ),
    "virtual_files": CountedPhrase(
        Phrase(
            "{count} file", "{count} Datei", "{count} fichier", "{count} archivo", "{count} file"
        ),
        Phrase(
            "{count} files",
            "{count} Dateien",
            "{count} fichiers",
            "{count} archivos",
            "{count} file",
        ),
    ),
    "meetings": CountedPhrase(
        Phrase(
            "{count} meeting",
            "{count} Besprechung",
            "{count} réunion",
            "{count} reunión",
            "{count} riunione",
        ),
        Phrase(
            "{count} meetings",
            "{count} Besprechungen",
            "{count} réunions",
            "{count} reuniones",
            "{count} riunioni",
        ),
    ),
    "people_notes": CountedPhrase(
        Phrase(
            "{count} note about somebody",
            "{count} Notiz über jemanden",
            "{count} note sur quelqu'un",
            "{count} nota sobre alguien",
            "{count} nota su qualcuno",
        ),
        Phrase(
            "{count} notes about people",
            "{count} Notizen über Leute",
            "{count} notes sur des personnes",
            "{count} notas sobre personas",
            "{count} note su persone",
        ),
    ),
    "summaries": CountedPhrase(
        Phrase(
            "{count} summary of a conversation",
            "{count} Zusammenfassung eines Gesprächs",
            "{count} résumé d'une conversation",
            "{count} resumen de una conversación",
            "{count} riassunto di una conversazione",
        ),
        Phrase(
            "{count} summaries of conversations",
            "{count} Zusammenfassungen von Gesprächen",
            "{count} résumés de conversations",
            "{count} resúmenes de conversaciones",
            "{count} riassunti di conversazioni",
        ),
    ),
    "scheduled_tasks": CountedPhrase(
        Phrase(
            "{count} scheduled task",
            "{count} geplante Aufgabe",
            "{count} tâche planifiée",
            "{count} tarea programada",
            "{count} attività pianificata",
        ),
        Phrase(
            "{count} scheduled tasks",
            "{count} geplante Aufgaben",
            "{count} tâches planifiées",
            "{count} tareas programadas",
            "{count} attività pianificate",
        ),
    ),
    "automations": CountedPhrase(
        Phrase(
            "{count} automation",
            "{count} Automation",
            "{count} automatisation",
            "{count} automatización",
            "{count} automazione",
        ),
        Phrase(
            "{count} automations",
            "{count} Automationen",
            "{count} automatisations",
            "{count} automatizaciones",
            "{count} automazioni",
        ),
    ),
    "grants": CountedPhrase(
        Phrase(
            "{count} grant",
            "{count} Erlaubnis",
            "{count} permission",
            "{count} permiso",
            "{count} permesso",
        ),
        Phrase(
            "{count} grants",
            "{count} Erlaubnisse",
            "{count} permissions",
            "{count} permisos",
            "{count} permessi",
        ),
    ),
    "credentials": CountedPhrase(
        Phrase(
            "{count} connected account",
            "{count} verbundenes Konto",
            "{count} compte connecté",
            "{count} cuenta conectada",
            "{count} account collegato",
        ),
        Phrase(
            "{count} connected accounts",
            "{count} verbundene Konten",
            "{count} comptes connectés",
            "{count} cuentas conectadas",
            "{count} account collegati",
        ),
    ),
}
"""What is kept under a person id, by the name of its table."""
