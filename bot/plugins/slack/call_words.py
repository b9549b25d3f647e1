"""What calls of Slack's tools do, as cards say it."""

from bot.plugin.tools import Phrase

POST = Phrase(
    "post in their own name in Slack's {channel}: {text}",
    "im eigenen Namen in {channel} auf Slack schreiben: {text}",
    "publier en son propre nom dans {channel} sur Slack : {text}",
    "publicar en su propio nombre en {channel} de Slack: {text}",
    "pubblicare a proprio nome in {channel} su Slack: {text}",
)
MAKE_LIST = Phrase(
    "make the Slack list {title}",
    "die Slack-Liste {title} anlegen",
    "créer la liste Slack {title}",
    "crear la lista de Slack {title}",
    "creare la lista Slack {title}",
)
FOR_MEMBER = Phrase(
    " for {member}", " für {member}", " pour {member}", " para {member}", " per {member}"
)
ADD_ROW = Phrase(
    "add a row{whose} to the Slack list {list}: {cells}",
    "eine Zeile{whose} in die Slack-Liste {list} setzen: {cells}",
    "ajouter une ligne{whose} à la liste Slack {list} : {cells}",
    "añadir una fila{whose} a la lista de Slack {list}: {cells}",
    "aggiungere una riga{whose} alla lista Slack {list}: {cells}",
)
CHANGE_ROW = Phrase(
    "change the row {row}{whose} of the Slack list {list}: {cells}",
    "die Zeile {row}{whose} der Slack-Liste {list} ändern: {cells}",
    "modifier la ligne {row}{whose} de la liste Slack {list} : {cells}",
    "cambiar la fila {row}{whose} de la lista de Slack {list}: {cells}",
    "modificare la riga {row}{whose} della lista Slack {list}: {cells}",
)
REMOVE_ROW = Phrase(
    "remove the row {row} from the Slack list {list}",
    "die Zeile {row} aus der Slack-Liste {list} entfernen",
    "retirer la ligne {row} de la liste Slack {list}",
    "quitar la fila {row} de la lista de Slack {list}",
    "togliere la riga {row} dalla lista Slack {list}",
)
LET_READ_LIST = Phrase(
    "let {whom} read the Slack list {list}",
    "{whom} die Slack-Liste {list} lesen lassen",
    "laisser {whom} lire la liste Slack {list}",
    "dejar que {whom} lea la lista de Slack {list}",
    "lasciare che {whom} legga la lista Slack {list}",
)
LET_CHANGE_LIST = Phrase(
    "let {whom} change the Slack list {list}",
    "{whom} die Slack-Liste {list} ändern lassen",
    "laisser {whom} modifier la liste Slack {list}",
    "dejar que {whom} cambie la lista de Slack {list}",
    "lasciare che {whom} modifichi la lista Slack {list}",
)
MAKE_CANVAS = Phrase(
    "make the Slack canvas {title}",
    "das Slack-Canvas {title} anlegen",
    "créer le canevas Slack {title}",
    "crear el canvas de Slack {title}",
    "creare il canvas Slack {title}",
)
MAKE_CHANNEL_CANVAS = Phrase(
    "make the Slack canvas {title} as the canvas of {channel}",
    "das Slack-Canvas {title} als Canvas von {channel} anlegen",
    "créer le canevas Slack {title} comme canevas de {channel}",
    "crear el canvas de Slack {title} como canvas de {channel}",
    "creare il canvas Slack {title} come canvas di {channel}",
)
ADD = Phrase(
    "add to the Slack canvas {canvas}: {content}",
    "an das Slack-Canvas {canvas} anhängen: {content}",
    "ajouter au canevas Slack {canvas} : {content}",
    "añadir al canvas de Slack {canvas}: {content}",
    "aggiungere al canvas Slack {canvas}: {content}",
)
ADD_BEHIND = Phrase(
    "add to the Slack canvas {canvas} behind {at}: {content}",
    "im Slack-Canvas {canvas} hinter {at} einfügen: {content}",
    "ajouter au canevas Slack {canvas} derrière {at} : {content}",
    "añadir al canvas de Slack {canvas} detrás de {at}: {content}",
    "aggiungere al canvas Slack {canvas} dopo {at}: {content}",
)
REPLACE = Phrase(
    "replace in the Slack canvas {canvas} the block with {at} by {content}",
    "im Slack-Canvas {canvas} den Block mit {at} ersetzen durch {content}",
    "remplacer dans le canevas Slack {canvas} le bloc avec {at} par {content}",
    "sustituir en el canvas de Slack {canvas} el bloque con {at} por {content}",
    "sostituire nel canvas Slack {canvas} il blocco con {at} con {content}",
)
REMOVE = Phrase(
    "remove from the Slack canvas {canvas} the block with {at}",
    "aus dem Slack-Canvas {canvas} den Block mit {at} entfernen",
    "retirer du canevas Slack {canvas} le bloc avec {at}",
    "quitar del canvas de Slack {canvas} el bloque con {at}",
    "togliere dal canvas Slack {canvas} il blocco con {at}",
)
LET_READ_CANVAS = Phrase(
    "let {whom} read the Slack canvas {canvas}",
    "{whom} das Slack-Canvas {canvas} lesen lassen",
    "laisser {whom} lire le canevas Slack {canvas}",
    "dejar que {whom} lea el canvas de Slack {canvas}",
    "lasciare che {whom} legga il canvas Slack {canvas}",
)
LET_CHANGE_CANVAS = Phrase(
    "let {whom} change the Slack canvas {canvas}",
    "{whom} das Slack-Canvas {canvas} ändern lassen",
    "laisser {whom} modifier le canevas Slack {canvas}",
    "dejar que {whom} cambie el canvas de Slack {canvas}",
    "lasciare che {whom} modifichi il canvas Slack {canvas}",
)
