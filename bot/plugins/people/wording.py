"""What people are told about files about people."""

from bot.plugin.chat_commands import CountedPhrase, Phrase

HOW = Phrase(
    "Say `/people merge NAME NAME` or `/people apart NAME NAME`, with names as in /people/NAME.md.",
    "Sag `/people merge NAME NAME` oder `/people apart NAME NAME`, mit Namen wie in "
    "/people/NAME.md.",
    "Dites `/people merge NOM NOM` ou `/people apart NOM NOM`, avec les noms de /people/NAME.md.",
    "Di `/people merge NOMBRE NOMBRE` o `/people apart NOMBRE NOMBRE`, con los nombres de "
    "/people/NAME.md.",
    "Di' `/people merge NOME NOME` o `/people apart NOME NOME`, con i nomi di /people/NAME.md.",
)
NO_FILE = Phrase(
    "There is no file {name} here, or several are called that.",
    "Eine Datei {name} gibt es hier nicht, oder mehrere heißen so.",
    "Il n'y a pas de fichier {name} ici, ou plusieurs portent ce nom.",
    "Aquí no hay ningún archivo {name}, o varios se llaman así.",
    "Qui non c'è un file {name}, oppure più file si chiamano così.",
)
ONE_FILE = Phrase(
    "Both names mean one file already.",
    "Beide Namen meinen schon dieselbe Datei.",
    "Les deux noms désignent déjà le même fichier.",
    "Los dos nombres ya son el mismo archivo.",
    "I due nomi indicano già lo stesso file.",
)
CHANGED = Phrase(
    "One of the two was changed just now. Try again.",
    "Eine der beiden wurde gerade geändert. Versuch es noch einmal.",
    "L'un des deux vient de changer. Réessayez.",
    "Uno de los dos acaba de cambiar. Inténtalo otra vez.",
    "Uno dei due è appena cambiato. Riprova.",
)
MERGED = Phrase(
    "{gone} is {kept} now, with the notes of both.",
    "{gone} ist jetzt {kept}, mit den Notizen von beiden.",
    "{gone} est maintenant {kept}, avec les notes des deux.",
    "{gone} es ahora {kept}, con las notas de ambos.",
    "{gone} ora è {kept}, con le note di entrambi.",
)
APART = Phrase(
    "{one} and {other} are two people: I won't ask again.",
    "{one} und {other} sind zwei Personen: ich frage nicht wieder.",
    "{one} et {other} sont deux personnes : je ne redemanderai pas.",
    "{one} y {other} son dos personas: no volveré a preguntar.",
    "{one} e {other} sono due persone: non lo chiederò più.",
)
MAYBE = Phrase(
    "Maybe the same: `/people merge {two} {one}`, else `apart`.",
    "Vielleicht dieselbe Person: `/people merge {two} {one}`, sonst `apart`.",
    "Peut-être la même personne : `/people merge {two} {one}`, sinon `apart`.",
    "Quizá la misma persona: `/people merge {two} {one}`, si no `apart`.",
    "Forse la stessa persona: `/people merge {two} {one}`, altrimenti `apart`.",
)
NOBODY = Phrase(
    "I keep no files about people yet. Ask me who somebody is.",
    "Ich führe noch keine Dateien über Leute. Frag mich, wer jemand ist.",
    "Je ne tiens pas encore de fichiers sur des personnes. Demandez-moi qui est quelqu'un.",
    "Aún no guardo archivos sobre personas. Pregúntame quién es alguien.",
    "Non tengo ancora file sulle persone. Chiedimi chi è qualcuno.",
)
WHO_MAY = Phrase(
    "Only a Partner or a MasterAdmin merges files that others read.",
    "Dateien, die andere lesen, führt nur ein Partner oder MasterAdmin zusammen.",
    "Seul un Partner ou un MasterAdmin fusionne des fichiers que d'autres lisent.",
    "Solo un Partner o un MasterAdmin une archivos que otros leen.",
    "Solo un Partner o un MasterAdmin unisce file che altri leggono.",
)
MORE = CountedPhrase(
    Phrase(
        "and {count} more",
        "und {count} weitere Datei",
        "et {count} autre",
        "y {count} más",
        "e un altro",
    ),
    Phrase(
        "and {count} more",
        "und {count} weitere Dateien",
        "et {count} autres",
        "y {count} más",
        "e altri {count}",
    ),
)
ABOUT = Phrase(
    "people I know; merge two files about one person",
    "wen ich kenne; zwei Dateien über eine Person zusammenlegen",
    "qui je connais ; fusionner deux fiches d'une personne",
    "a quién conozco; unir dos fichas de una persona",
    "chi conosco; unire due schede di una persona",
)
CALLED = Phrase("people", "leute", "personnes", "personas", "persone")
LOOKING_UP = Phrase(
    "Looking up who is who",
    "Ich sehe nach, wer wer ist",
    "Je regarde qui est qui",
    "Miro quién es quién",
    "Guardo chi è chi",
)
