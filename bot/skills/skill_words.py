"""Why a skill is not saved, shared, removed or promoted, in the language of its person."""

from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

BAD_NAME = Phrase(
    "{name} can't be a name; use letters and digits, such as weekly_report",
    "{name} geht nicht als Name; nimm Buchstaben und Ziffern, etwa wochenbericht",
    "{name} ne peut pas être un nom ; prenez des lettres et des chiffres, comme rapport_hebdo",
    "{name} no puede ser un nombre; usa letras y cifras, como informe_semanal",
    "{name} non può essere un nome; usa lettere e cifre, come rapporto_settimanale",
)
BAD_COMMAND = Phrase(
    "{name} can't be a command; use letters and digits, such as weekly",
    "{name} geht nicht als Befehl; nimm Buchstaben und Ziffern, etwa woche",
    "{name} ne peut pas être une commande ; prenez des lettres et des chiffres, comme hebdo",
    "{name} no puede ser un comando; usa letras y cifras, como semanal",
    "{name} non può essere un comando; usa lettere e cifre, come settimanale",
)
NONE_OF_YOURS = Phrase(
    "You have no skill {name} of your own; /skill list shows what there is.",
    "Du hast keinen eigenen Skill {name}; /skill list zeigt, was es gibt.",
    "Vous n'avez pas de compétence {name} à vous ; /skill list montre ce qu'il y a.",
    "No tienes ninguna habilidad {name} tuya; /skill list muestra qué hay.",
    "Non hai un'abilità {name} tua; /skill list mostra che cosa c'è.",
)
OF_OTHERS_TEXT = Phrase(
    "{name} holds text that did not come from you; write it anew, then share it.",
    "In {name} steht Text, der nicht von dir kam; schreib ihn neu und teil den Skill dann.",
    "{name} contient du texte qui n'est pas de vous ; réécrivez-le, puis partagez-la.",
    "{name} contiene texto que no es tuyo; escríbelo de nuevo y luego compártela.",
    "{name} contiene testo che non è tuo; riscrivilo, poi condividila.",
)
NONE_TO_REMOVE = Phrase(
    "There is no skill {name} that you could remove; /skill list shows them.",
    "Es gibt keinen Skill {name}, den du löschen könntest; /skill list zeigt sie.",
    "Il n'y a pas de compétence {name} que vous puissiez supprimer ; /skill list les montre.",
    "No hay ninguna habilidad {name} que puedas borrar; /skill list las muestra.",
    "Non c'è un'abilità {name} che tu possa cancellare; /skill list le mostra.",
)
CHANGED_MEANWHILE = Phrase(
    "{name} was changed meanwhile; nothing was saved. Look at it and try again.",
    "{name} wurde inzwischen geändert; nichts wurde gespeichert. Sieh es dir an und versuch es"
    " noch einmal.",
    "{name} a changé entre-temps ; rien n'a été enregistré. Regardez-la et réessayez.",
    "{name} cambió entretanto; no se guardó nada. Mírala e inténtalo otra vez.",
    "{name} è cambiata nel frattempo; non si è salvato nulla. Guardala e riprova.",
)
NO_SERVER = Phrase(
    "A direct message belongs to no server, so nothing is shared there; do this in a channel.",
    "Eine Direktnachricht gehört zu keinem Server, also wird dort nichts geteilt; mach das in einem"
    " Kanal.",
    "Un message privé n'appartient à aucun serveur, rien n'y est donc partagé ; faites-le dans un"
    " canal.",
    "Un mensaje directo no pertenece a ningún servidor, así que allí no se comparte nada; hazlo en"
    " un canal.",
    "Un messaggio diretto non appartiene a nessun server, quindi lì non si condivide nulla; fallo"
    " in un canale.",
)
PARTNER_GIVES = Phrase(
    "To give a skill to the whole workspace takes a Partner or MasterAdmin; ask one of them.",
    "Einen Skill allen hier geben kann ein Partner oder MasterAdmin; frag jemanden davon.",
    "Donner une compétence à tout l'espace revient à un Partner ou MasterAdmin ; demandez à l'un"
    " d'eux.",
    "Dar una habilidad a todo el espacio es cosa de un Partner o MasterAdmin; pídeselo a uno.",
    "Dare un'abilità a tutto lo spazio spetta a un Partner o MasterAdmin; chiedi a uno di loro.",
)
PARTNER_REMOVES = Phrase(
    "To remove a skill of the whole workspace takes a Partner or MasterAdmin; ask one of them.",
    "Einen Skill aller hier löschen kann ein Partner oder MasterAdmin; frag jemanden davon.",
    "Supprimer une compétence de tout l'espace revient à un Partner ou MasterAdmin ; demandez à"
    " l'un d'eux.",
    "Borrar una habilidad de todo el espacio es cosa de un Partner o MasterAdmin; pídeselo a uno.",
    "Cancellare un'abilità di tutto lo spazio spetta a un Partner o MasterAdmin; chiedi a uno di"
    " loro.",
)

AT_LINE = Phrase(
    "{file}, line {line}: {text}",
    "{file}, Zeile {line}: {text}",
    "{file}, ligne {line} : {text}",
    "{file}, línea {line}: {text}",
    "{file}, riga {line}: {text}",
)
TOO_LARGE = Phrase(
    "{file}: is larger than {most} KB; keep the skill short and put details into files beside it",
    "{file}: ist größer als {most} KB; halte den Skill kurz und leg Einzelheiten in Dateien"
    " daneben",
    "{file} : dépasse {most} Ko ; gardez la compétence courte et mettez les détails dans des"
    " fichiers à côté",
    "{file}: pasa de {most} KB; haz la habilidad corta y pon los detalles en archivos al lado",
    "{file}: supera {most} KB; tieni breve l'abilità e metti i dettagli in file accanto",
)
TITLE_TOO_LONG = Phrase(
    "name has {count} characters, the limit is {most}; shorten it",
    "name hat {count} Zeichen, {most} sind die Grenze; kürz ihn",
    "name a {count} caractères, la limite est {most} ; raccourcissez-le",
    "name tiene {count} caracteres, el límite es {most}; acórtalo",
    "name ha {count} caratteri, il limite è {most}; accorcialo",
)
DESCRIPTION_TOO_LONG = Phrase(
    "description has {count} characters, the limit is {most}; move details below",
    "description hat {count} Zeichen, {most} sind die Grenze; schreib Einzelheiten in die"
    " Anweisungen",
    "description a {count} caractères, la limite est {most} ; mettez les détails plus bas",
    "description tiene {count} caracteres, el límite es {most}; pasa los detalles abajo",
    "description ha {count} caratteri, il limite è {most}; sposta i dettagli sotto",
)
NEEDS_DESCRIPTION = Phrase(
    "auto_invoke needs a description; add description: with a sentence that says when to use the"
    " skill",
    "auto_invoke braucht eine Beschreibung; ergänze description: mit einem Satz, der sagt, wann der"
    " Skill dran ist",
    "auto_invoke demande une description ; ajoutez description: avec une phrase qui dit quand"
    " employer la compétence",
    "auto_invoke necesita una descripción; añade description: con una frase que diga cuándo usar la"
    " habilidad",
    "auto_invoke ha bisogno di una descrizione; aggiungi description: con una frase che dica quando"
    " usare l'abilità",
)
NO_INSTRUCTIONS = Phrase(
    "the skill has no instructions; write them below the second ---",
    "der Skill hat keine Anweisungen; schreib sie unter das zweite ---",
    "la compétence n'a pas d'instructions ; écrivez-les sous le second ---",
    "la habilidad no tiene instrucciones; escríbelas debajo del segundo ---",
    "l'abilità non ha istruzioni; scrivile sotto il secondo ---",
)
UNUSABLE = Phrase(
    "nothing could ever use this skill; add command: {command}, or auto_invoke: true",
    "diesen Skill könnte nie etwas verwenden; ergänze command: {command} oder auto_invoke: true",
    "rien ne pourrait jamais employer cette compétence ; ajoutez command: {command}, ou"
    " auto_invoke: true",
    "nada podría usar nunca esta habilidad; añade command: {command}, o auto_invoke: true",
    "niente potrebbe mai usare questa abilità; aggiungi command: {command}, o auto_invoke: true",
)

NO_CANDIDATE = Phrase(
    "there is no playbook candidate {name}; there are: {known}",
    "einen Playbook-Vorschlag {name} gibt es nicht; es gibt: {known}",
    "il n'y a pas de proposition {name} ; il y a : {known}",
    "no hay ninguna propuesta {name}; hay: {known}",
    "non c'è una proposta {name}; ci sono: {known}",
)
NO_UTF8 = Phrase(
    "{file}: is not UTF-8 text; save it as UTF-8",
    "{file}: ist kein UTF-8-Text; speichere es als UTF-8",
    "{file} : n'est pas du texte UTF-8 ; enregistrez-le en UTF-8",
    "{file}: no es texto UTF-8; guárdalo como UTF-8",
    "{file}: non è testo UTF-8; salvalo come UTF-8",
)
ANOTHER_ALREADY = Phrase(
    "{file} is another skill already; rename the candidate or the skill",
    "{file} ist schon ein anderer Skill; benenn den Vorschlag oder den Skill um",
    "{file} est déjà une autre compétence ; renommez la proposition ou la compétence",
    "{file} ya es otra habilidad; cambia el nombre de la propuesta o de la habilidad",
    "{file} è già un'altra abilità; rinomina la proposta o l'abilità",
)
NOT_LEARNED = Phrase(
    "{name} comes from sessions in places with learn: false ({sessions}), so no skill is made of"
    " it; remove them and what they taught from the candidate",
    "{name} kommt aus Sitzungen an Orten mit learn: false ({sessions}), also wird daraus kein"
    " Skill; nimm sie und was sie lehrten aus dem Vorschlag",
    "{name} vient de sessions dans des lieux avec learn: false ({sessions}), aucune compétence n'en"
    " est donc faite ; retirez-les, et ce qu'elles ont appris, de la proposition",
    "{name} viene de sesiones en lugares con learn: false ({sessions}), así que no se hace ninguna"
    " habilidad; quítalas de la propuesta, con lo que enseñaron",
    "{name} viene da sessioni in luoghi con learn: false ({sessions}), quindi non se ne fa"
    " un'abilità; toglile dalla proposta, con ciò che hanno insegnato",
)
SKILL_ALREADY = Phrase(
    "there is a skill {name} already; rename the candidate's file, and promote it then",
    "einen Skill {name} gibt es schon; benenn die Datei des Vorschlags um und befördere ihn dann",
    "il y a déjà une compétence {name} ; renommez le fichier de la proposition, puis promouvez-la",
    "ya hay una habilidad {name}; cambia el nombre del archivo de la propuesta y promuévela luego",
    "c'è già un'abilità {name}; rinomina il file della proposta, poi promuovila",
)

IN_FILES = Retelling((
    AT_LINE,
    TOO_LARGE,
    TITLE_TOO_LONG,
    DESCRIPTION_TOO_LONG,
    NEEDS_DESCRIPTION,
    NO_INSTRUCTIONS,
    UNUSABLE,
))  # fmt: skip
"""What is wrong with a skill's file, by the English words of its error."""
