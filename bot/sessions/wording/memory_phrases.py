"""What `/memory` and `/people` say about what is kept of people."""

from bot.domain.languages import CountedPhrase, Phrase

MEMORY_HOW = Phrase(
    "Say `/memory {usage}`. Without arguments it shows what I remember about you.",
    "Sag `/memory {usage}`. Ohne alles zeigt es, was ich mir über dich gemerkt habe.",
    "Dites `/memory {usage}`. Sans rien, il montre ce que je retiens de vous.",
    "Di `/memory {usage}`. Sin nada muestra lo que recuerdo de ti.",
    "Di' `/memory {usage}`. Senza altro mostra che cosa ricordo di te.",
)
NOTHING_REMEMBERED = Phrase(
    "I remember nothing about you yet.",
    "Ich habe mir noch nichts über dich gemerkt.",
    "Je ne retiens encore rien de vous.",
    "Aún no recuerdo nada de ti.",
    "Non ricordo ancora nulla di te.",
)
MORE_ENTRIES = CountedPhrase(
    Phrase(
        "{count} more entry is in the file.",
        "{count} weiterer Eintrag steht in der Datei.",
        "{count} autre entrée est dans le fichier.",
        "{count} entrada más está en el archivo.",
        "un'altra voce è nel file.",
    ),
    Phrase(
        "{count} more entries are in the file.",
        "{count} weitere Einträge stehen in der Datei.",
        "{count} autres entrées sont dans le fichier.",
        "{count} entradas más están en el archivo.",
        "altre {count} voci sono nel file.",
    ),
)
IN_FILE = Phrase(
    "In the file, too: {counts}.",
    "Auch in der Datei: {counts}.",
    "Aussi dans le fichier : {counts}.",
    "También en el archivo: {counts}.",
    "Anche nel file: {counts}.",
)
FORGET_HOW = Phrase(
    "`/memory forget REF` or `/memory forget WORDS` removes something for good.",
    "`/memory forget REF` oder `/memory forget WÖRTER` löscht etwas endgültig.",
    "`/memory forget REF` ou `/memory forget MOTS` efface quelque chose pour de bon.",
    "`/memory forget REF` o `/memory forget PALABRAS` borra algo para siempre.",
    "`/memory forget REF` o `/memory forget PAROLE` cancella qualcosa per sempre.",
)
NOTHING_MATCHES = Phrase(
    "I remember nothing about you that matches.",
    "Ich habe mir nichts über dich gemerkt, das dazu passt.",
    "Je ne retiens rien de vous qui corresponde.",
    "No recuerdo nada de ti que coincida.",
    "Non ricordo nulla di te che corrisponda.",
)
MEMORY_SHOWS = Phrase(
    "`/memory` shows what I remember.",
    "`/memory` zeigt, was ich mir gemerkt habe.",
    "`/memory` montre ce que je retiens.",
    "`/memory` muestra lo que recuerdo.",
    "`/memory` mostra che cosa ricordo.",
)
CHANNEL_IS_DECIDED = Phrase(
    "A Partner or MasterAdmin decides that for a channel; `/memory off me` is for you alone.",
    "Für einen Kanal entscheidet das ein Partner oder MasterAdmin; `/memory off me` gilt für dich"
    " allein.",
    "Pour un canal, c'est un Partner ou un MasterAdmin qui en décide ; `/memory off me` ne vaut que"
    " pour vous.",
    "Para un canal lo decide un Partner o MasterAdmin; `/memory off me` es solo para ti.",
    "Per un canale lo decide un Partner o MasterAdmin; `/memory off me` vale solo per te.",
)
LEARNS_FROM_YOU = Phrase(
    "From your next conversation on I learn from you, anywhere.",
    "Ab deinem nächsten Gespräch lerne ich von dir, überall.",
    "Dès votre prochaine conversation, j'apprends de vous, partout.",
    "Desde tu próxima conversación aprendo de ti, en todas partes.",
    "Dalla tua prossima conversazione imparo da te, ovunque.",
)
LEARNS_HERE = Phrase(
    "From your next conversation on I learn from what is said here.",
    "Ab deinem nächsten Gespräch lerne ich aus dem, was hier gesagt wird.",
    "Dès votre prochaine conversation, j'apprends de ce qui se dit ici.",
    "Desde tu próxima conversación aprendo de lo que se dice aquí.",
    "Dalla tua prossima conversazione imparo da ciò che si dice qui.",
)
LEARNS_NOTHING_OF_YOU = Phrase(
    "I learn nothing from you any more, anywhere. `/memory` shows what I know,"
    " `/memory forget all` removes it.",
    "Ich lerne nirgends mehr etwas von dir. `/memory` zeigt, was ich weiß, `/memory forget all`"
    " löscht es.",
    "Je n'apprends plus rien de vous, nulle part. `/memory` montre ce que je sais,"
    " `/memory forget all` l'efface.",
    "Ya no aprendo nada de ti, en ninguna parte. `/memory` muestra lo que sé,"
    " `/memory forget all` lo borra.",
    "Non imparo più nulla da te, da nessuna parte. `/memory` mostra che cosa so,"
    " `/memory forget all` lo cancella.",
)
LEARNS_NOTHING_HERE = Phrase(
    "I learn nothing from what is said here any more. `/memory` shows what I know,"
    " `/memory forget all` removes it.",
    "Ich lerne nichts mehr aus dem, was hier gesagt wird. `/memory` zeigt, was ich weiß,"
    " `/memory forget all` löscht es.",
    "Je n'apprends plus rien de ce qui se dit ici. `/memory` montre ce que je sais,"
    " `/memory forget all` l'efface.",
    "Ya no aprendo nada de lo que se dice aquí. `/memory` muestra lo que sé,"
    " `/memory forget all` lo borra.",
    "Non imparo più nulla da ciò che si dice qui. `/memory` mostra che cosa so,"
    " `/memory forget all` lo cancella.",
)
KINDS = {
    "entry": Phrase("memory", "Gedächtnis", "mémoire", "memoria", "memoria"),
    "archived": Phrase("archive", "Archiv", "archives", "archivo", "archivio"),
    "summary": Phrase(
        "summaries of conversations",
        "Zusammenfassungen von Gesprächen",
        "résumés de conversations",
        "resúmenes de conversaciones",
        "riassunti di conversazioni",
    ),
    "fact": Phrase(
        "facts of conversations",
        "Fakten aus Gesprächen",
        "faits de conversations",
        "datos de conversaciones",
        "fatti di conversazioni",
    ),
    "knowledge": Phrase("knowledge", "Wissen", "connaissances", "conocimientos", "conoscenze"),
    "note": Phrase("notes", "Notizen", "notes", "notas", "note"),
}
"""What is kept, by kind, inside a sentence."""

PEOPLE_HOW = Phrase(
    "Say `/people merge NAME NAME` or `/people apart NAME NAME`, with names as in /people/NAME.md.",
    "Sag `/people merge NAME NAME` oder `/people apart NAME NAME`, mit Namen wie in"
    " /people/NAME.md.",
    "Dites `/people merge NOM NOM` ou `/people apart NOM NOM`, avec les noms de /people/NAME.md.",
    "Di `/people merge NOMBRE NOMBRE` o `/people apart NOMBRE NOMBRE`, con los nombres de"
    " /people/NAME.md.",
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
JUST_CHANGED = Phrase(
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
TWO_PEOPLE = Phrase(
    "{one} and {other} are two people: I won't ask again.",
    "{one} und {other} sind zwei Personen: ich frage nicht wieder.",
    "{one} et {other} sont deux personnes : je ne redemanderai pas.",
    "{one} y {other} son dos personas: no volveré a preguntar.",
    "{one} e {other} sono due persone: non lo chiederò più.",
)
MORE_PEOPLE = CountedPhrase(
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
MAYBE_SAME = Phrase(
    "Maybe the same: `/people merge {two} {one}`, else `apart`.",
    "Vielleicht dieselbe Person: `/people merge {two} {one}`, sonst `apart`.",
    "Peut-être la même personne : `/people merge {two} {one}`, sinon `apart`.",
    "Quizá la misma persona: `/people merge {two} {one}`, si no `apart`.",
    "Forse la stessa persona: `/people merge {two} {one}`, altrimenti `apart`.",
)
NO_FILES = Phrase(
    "I keep no files about people yet. Ask me who somebody is.",
    "Ich führe noch keine Dateien über Leute. Frag mich, wer jemand ist.",
    "Je ne tiens pas encore de fichiers sur des personnes. Demandez-moi qui est quelqu'un.",
    "Aún no guardo archivos sobre personas. Pregúntame quién es alguien.",
    "Non tengo ancora file sulle persone. Chiedimi chi è qualcuno.",
)
PARTNERS_MERGE = Phrase(
    "Only a Partner or a MasterAdmin merges files that others read.",
    "Dateien, die andere lesen, führt nur ein Partner oder MasterAdmin zusammen.",
    "Seul un Partner ou un MasterAdmin fusionne des fichiers que d'autres lisent.",
    "Solo un Partner o un MasterAdmin une archivos que otros leen.",
    "Solo un Partner o un MasterAdmin unisce file che altri leggono.",
)
