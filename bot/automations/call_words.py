"""What making an automation or a schedule as a file does, as cards say it."""

from collections.abc import Mapping

from bot.domain.automations import EventKind
from bot.domain.languages import Phrase

WHENEVER = Phrase(
    "have this done whenever {event}{where}: {what}",
    "das jedes Mal erledigen, wenn dies geschieht: {event}{where}; und zwar {what}",
    "faire ceci chaque fois que ceci arrive : {event}{where} ; à savoir {what}",
    "hacer esto cada vez que pase esto: {event}{where}; en concreto {what}",
    "fare questo ogni volta che succede questo: {event}{where}; cioè {what}",
)
OFF_WHENEVER = Phrase(
    "keep this, switched off whenever {event}{where}: {what}",
    "das ausgeschaltet aufheben, für: {event}{where}; und zwar {what}",
    "garder ceci, désactivé, pour : {event}{where} ; à savoir {what}",
    "guardar esto, apagado, para: {event}{where}; en concreto {what}",
    "tenere questo, spento, per: {event}{where}; cioè {what}",
)
TOLD_IN = Phrase(
    ", told in channel {channel}",
    ", erzählt im Kanal {channel}",
    ", raconté dans le canal {channel}",
    ", contado en el canal {channel}",
    ", raccontato nel canale {channel}",
)
DONE = Phrase(
    "have this done {when}{zone}: {what}",
    "das erledigen, {when}{zone}: {what}",
    "faire ceci {when}{zone} : {what}",
    "hacer esto {when}{zone}: {what}",
    "fare questo {when}{zone}: {what}",
)
OFF_DONE = Phrase(
    "keep this, switched off {when}{zone}: {what}",
    "das ausgeschaltet aufheben, {when}{zone}: {what}",
    "garder ceci, désactivé, {when}{zone} : {what}",
    "guardar esto, apagado, {when}{zone}: {what}",
    "tenere questo, spento, {when}{zone}: {what}",
)
AGAIN = Phrase(
    "again and again, {repeat}",
    "immer wieder, {repeat}",
    "régulièrement, {repeat}",
    "una y otra vez, {repeat}",
    "di continuo, {repeat}",
)
ONCE = Phrase(
    "once, at {at}", "einmal, um {at}", "une fois, à {at}", "una vez, a las {at}", "una volta, {at}"
)
STOP = Phrase(
    "stop and delete the automation {path}",
    "die Automation {path} anhalten und löschen",
    "arrêter et supprimer l'automatisation {path}",
    "parar y borrar la automatización {path}",
    "fermare e cancellare l'automazione {path}",
)
WITH = Phrase("with {words}", "mit {words}", "avec {words}", "con {words}", "con {words}")
SUBJECT = Phrase(
    "with the subject {words}",
    "mit dem Betreff {words}",
    "avec l'objet {words}",
    "con el asunto {words}",
    "con l'oggetto {words}",
)
LABEL = Phrase(
    "labelled {words}",
    "mit dem Label {words}",
    "avec le libellé {words}",
    "con la etiqueta {words}",
    "con l'etichetta {words}",
)
MATCHING = Phrase(
    "matching {words}",
    "passend zu {words}",
    "correspondant à {words}",
    "que coincide con {words}",
    "che corrisponde a {words}",
)
IN_CHANNEL = Phrase(
    "in channel {channel}",
    "im Kanal {channel}",
    "dans le canal {channel}",
    "en el canal {channel}",
    "nel canale {channel}",
)
HERE = Phrase("here", "hier", "ici", "aquí", "qui")
OR = Phrase("or", "oder", "ou", "o", "o")
WHO: Mapping[str, Phrase] = {
    "members": Phrase("a member", "ein Mitglied", "un membre", "un miembro", "un membro"),
    "anyone": Phrase(
        "anybody at all",
        "irgendjemand",
        "n'importe qui",
        "cualquier persona",
        "chiunque",
    ),
}
ANYBODY = Phrase("anybody", "jemand", "quelqu'un", "alguien", "qualcuno")
REACTS_WITH = Phrase(
    "{who} reacts with {emoji} to something",
    "{who} reagiert mit {emoji} auf etwas",
    "{who} réagit avec {emoji} à quelque chose",
    "{who} reacciona con {emoji} a algo",
    "{who} reagisce con {emoji} a qualcosa",
)
HAPPENS: Mapping[EventKind, Phrase] = {
    EventKind.REACTION: Phrase(
        "{who} reacts to something",
        "{who} reagiert auf etwas",
        "{who} réagit à quelque chose",
        "{who} reacciona a algo",
        "{who} reagisce a qualcosa",
    ),
    EventKind.MESSAGE: Phrase(
        "{who} writes something",
        "{who} schreibt etwas",
        "{who} écrit quelque chose",
        "{who} escribe algo",
        "{who} scrive qualcosa",
    ),
    EventKind.POLL_ENDED: Phrase(
        "a poll that I posted ends",
        "eine Umfrage von mir endet",
        "un sondage que j'ai publié se termine",
        "acaba una encuesta que publiqué",
        "finisce un sondaggio che ho pubblicato",
    ),
    EventKind.WEBHOOK: Phrase(
        "its web address is called, by whoever knows that,",
        "jemand, der sie kennt, ruft die Webadresse auf",
        "quelqu'un qui connaît son adresse web l'appelle",
        "alguien que conoce su dirección web la llama",
        "qualcuno che conosce il suo indirizzo web lo chiama",
    ),
    EventKind.NEW_PERSON: Phrase(
        "somebody new writes",
        "jemand Neues schreibt",
        "quelqu'un de nouveau écrit",
        "escribe alguien nuevo",
        "scrive qualcuno di nuovo",
    ),
    EventKind.MEETING_PREP: Phrase(
        "a meeting begins in {minutes} minutes",
        "eine Besprechung beginnt in {minutes} Minuten",
        "une réunion commence dans {minutes} minutes",
        "una reunión empieza en {minutes} minutos",
        "una riunione comincia tra {minutes} minuti",
    ),
    EventKind.TODO_ASSIGNED: Phrase(
        "I begin to work on a todo of theirs",
        "ich fange mit einer Aufgabe dieser Person an",
        "je commence une de ses tâches",
        "empiezo a trabajar en una de sus tareas",
        "comincio a lavorare a una sua attività",
    ),
    EventKind.TODO_WOKEN: Phrase(
        "a todo of theirs wakes up, and I begin to work on it",
        "eine Aufgabe dieser Person wacht auf, und ich fange damit an",
        "une de ses tâches se réveille et je la commence",
        "una de sus tareas despierta y empiezo a trabajar en ella",
        "una sua attività si risveglia e comincio a lavorarci",
    ),
    EventKind.EMAIL_RECEIVED: Phrase(
        "a mail comes from {address}",
        "eine Mail kommt von: {address}",
        "un e-mail arrive de : {address}",
        "llega un correo de: {address}",
        "arriva una e-mail da: {address}",
    ),
    EventKind.EMAIL_SENT: Phrase(
        "they send a mail to {address}",
        "diese Person schickt eine Mail an: {address}",
        "cette personne envoie un e-mail à : {address}",
        "esta persona envía un correo a: {address}",
        "questa persona manda una e-mail a: {address}",
    ),
    EventKind.EVENT_ADDED: Phrase(
        "an event comes into their calendar",
        "ein Termin kommt in den Kalender dieser Person",
        "un événement arrive dans son agenda",
        "llega un evento a su calendario",
        "arriva un evento nel suo calendario",
    ),
    EventKind.PLUGIN: Phrase(
        "{source} happens",
        "{source} geschieht",
        "{source} arrive",
        "ocurre {source}",
        "succede {source}",
    ),
}
"""What starts an automation, by its event."""
