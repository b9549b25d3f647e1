"""What was changed for somebody, counted: `/undo`, and the line below an answer."""

from collections.abc import Mapping, Sequence

from bot.domain.languages import CountedPhrase, Language, Phrase

CHANGED = Phrase(
    "Changed: {what}. `/undo` within an hour takes it back.",
    "Geändert: {what}. `/undo` nimmt es eine Stunde lang zurück.",
    "Modifié : {what}. `/undo` l'annule pendant une heure.",
    "Cambios: {what}. `/undo` los deshace durante una hora.",
    "Modifiche: {what}. `/undo` le annulla entro un'ora.",
)
TODO = CountedPhrase(
    Phrase(
        "todo",
        "Aufgabe",
        "tâche",
        "tarea",
        "attività",
    ),
    Phrase(
        "{count} todos",
        "{count} Aufgaben",
        "{count} tâches",
        "{count} tareas",
        "{count} attività",
    ),
)
NOTE = CountedPhrase(
    Phrase(
        "note",
        "Notiz",
        "note",
        "nota",
        "nota",
    ),
    Phrase(
        "{count} notes",
        "{count} Notizen",
        "{count} notes",
        "{count} notas",
        "{count} note",
    ),
)
FILE = CountedPhrase(
    Phrase(
        "file",
        "Datei",
        "fichier",
        "archivo",
        "documento",
    ),
    Phrase(
        "{count} files",
        "{count} Dateien",
        "{count} fichiers",
        "{count} archivos",
        "{count} documenti",
    ),
)
MEETING = CountedPhrase(
    Phrase(
        "meeting",
        "Besprechung",
        "réunion",
        "reunión",
        "riunione",
    ),
    Phrase(
        "{count} meetings",
        "{count} Besprechungen",
        "{count} réunions",
        "{count} reuniones",
        "{count} riunioni",
    ),
)
SUMMARY = CountedPhrase(
    Phrase(
        "summary",
        "Zusammenfassung",
        "résumé",
        "resumen",
        "riassunto",
    ),
    Phrase(
        "{count} summaries",
        "{count} Zusammenfassungen",
        "{count} résumés",
        "{count} resúmenes",
        "{count} riassunti",
    ),
)
ENTRY = CountedPhrase(
    Phrase(
        "entry",
        "Eintrag",
        "entrée",
        "entrada",
        "voce",
    ),
    Phrase(
        "{count} entries",
        "{count} Einträge",
        "{count} entrées",
        "{count} entradas",
        "{count} voci",
    ),
)
NOTE_ABOUT_SOMEBODY = CountedPhrase(
    Phrase(
        "note about somebody",
        "Notiz über jemanden",
        "note sur quelqu'un",
        "nota sobre alguien",
        "nota su qualcuno",
    ),
    Phrase(
        "{count} notes about somebody",
        "{count} Notizen über jemanden",
        "{count} notes sur quelqu'un",
        "{count} notas sobre alguien",
        "{count} note su qualcuno",
    ),
)
ADDED = Phrase(
    "{what} added",
    "{what} hinzugefügt",
    "ajout : {what}",
    "añadido: {what}",
    "aggiunta: {what}",
)
ALTERED = Phrase(
    "{what} changed",
    "{what} geändert",
    "modification : {what}",
    "cambiado: {what}",
    "modifica: {what}",
)
FINISHED = Phrase(
    "{what} done",
    "{what} erledigt",
    "terminé : {what}",
    "terminado: {what}",
    "completamento: {what}",
)
DISMISSED = Phrase(
    "{what} dismissed",
    "{what} verworfen",
    "écarté : {what}",
    "descartado: {what}",
    "scarto: {what}",
)
DELETED = Phrase(
    "{what} deleted",
    "{what} gelöscht",
    "suppression : {what}",
    "borrado: {what}",
    "cancellazione: {what}",
)
CREATED = Phrase(
    "{what} created",
    "{what} angelegt",
    "création : {what}",
    "creado: {what}",
    "creazione: {what}",
)
REPLACED = Phrase(
    "{what} replaced",
    "{what} ersetzt",
    "remplacement : {what}",
    "sustituido: {what}",
    "sostituzione: {what}",
)
WRITTEN = Phrase(
    "{what} written",
    "{what} geschrieben",
    "rédaction : {what}",
    "escrito: {what}",
    "scrittura: {what}",
)
STORED = Phrase(
    "{what} stored",
    "{what} gespeichert",
    "enregistrement : {what}",
    "guardado: {what}",
    "salvataggio: {what}",
)
NOUNS: Mapping[str, CountedPhrase] = {
    "todo": TODO,
    "note": NOTE,
    "file": FILE,
    "meeting": MEETING,
    "summary": SUMMARY,
    "entry": ENTRY,
    "note about somebody": NOTE_ABOUT_SOMEBODY,
}
_DONE: Mapping[str, Phrase] = {
    "added": ADDED,
    "added to": ADDED,
    "changed": ALTERED,
    "done": FINISHED,
    "dismissed": DISMISSED,
    "deleted": DELETED,
    "created": CREATED,
    "replaced": REPLACED,
    "written": WRITTEN,
    "stored": STORED,
}
"""What tools call a change (`Undoable`); a plug-in's own word stands as it is."""


def change_in_words(noun: str, done: str, language: Language) -> str:
    """One change: `todo added`."""
    return _done(NOUNS[noun].said(language, 1) if noun in NOUNS else noun, done, language)


def changed(changes: Sequence[tuple[str, str, int]], language: Language) -> str:
    """What a turn changed beside text from outside: (noun, what was done, how many)."""
    if not changes:
        return ""
    parts = [_done(_many(noun, count, language), done, language) for noun, done, count in changes]
    return CHANGED.said(language, what=", ".join(parts))


def _many(noun: str, count: int, language: Language) -> str:
    if count > 1 and noun in NOUNS:
        return NOUNS[noun].said(language, count)
    return f"{count} {NOUNS[noun].said(language, 1) if noun in NOUNS else noun}"


def _done(what: str, done: str, language: Language) -> str:
    return _DONE[done].said(language, what=what) if done in _DONE else f"{what} {done}"
