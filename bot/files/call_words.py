"""What calls of file tools do, as cards say it."""

from bot.domain.languages import Phrase

CHANGE = Phrase(
    "change the file {path}",
    "die Datei {path} ändern",
    "modifier le fichier {path}",
    "cambiar el archivo {path}",
    "modificare il file {path}",
)
REPLACE = Phrase(
    "replace the file {path}",
    "die Datei {path} ersetzen",
    "remplacer le fichier {path}",
    "sustituir el archivo {path}",
    "sostituire il file {path}",
)
WRITE = Phrase(
    "write the file {path}",
    "die Datei {path} schreiben",
    "écrire le fichier {path}",
    "escribir el archivo {path}",
    "scrivere il file {path}",
)
DELETE = Phrase(
    "delete the file {path}",
    "die Datei {path} löschen",
    "supprimer le fichier {path}",
    "borrar el archivo {path}",
    "cancellare il file {path}",
)
PUT_BACK = Phrase(
    "put back version {version} of {path}",
    "Fassung {version} von {path} zurückholen",
    "rétablir la version {version} de {path}",
    "recuperar la versión {version} de {path}",
    "ripristinare la versione {version} di {path}",
)
