"""Automations as people read them."""

from collections.abc import Mapping

from bot.domain.automations import EventKind
from bot.domain.languages import CountedPhrase, Phrase

STARTS_NOTHING = Phrase(
    "starts nothing: {error}",
    "startet nichts: {error}",
    "ne lance rien : {error}",
    "no inicia nada: {error}",
    "non avvia nulla: {error}",
)
ON_EVENT = Phrase(
    "on {event}",
    "bei: {event}",
    "quand : {event}",
    "cuando: {event}",
    "quando: {event}",
)
WAITS_FOR_PARTNER = Phrase(
    "waits until a Partner says `/automations on` in that channel",
    "wartet, bis ein Partner in dem Kanal `/automations on` sagt",
    "attend qu'un Partner dise `/automations on` dans ce canal",
    "espera a que un Partner diga `/automations on` en ese canal",
    "aspetta che un Partner dica `/automations on` in quel canale",
)
FILE = Phrase(
    "file: {path}",
    "Datei: {path}",
    "fichier : {path}",
    "archivo: {path}",
    "file: {path}",
)
ANSWERS = Phrase(
    "answers: {where}",
    "antwortet: {where}",
    "répond : {where}",
    "responde: {where}",
    "risponde: {where}",
)
CHANNEL = Phrase(
    "channel {channel}",
    "Kanal {channel}",
    "canal {channel}",
    "canal {channel}",
    "canale {channel}",
)
WHERE_MADE = Phrase(
    "where it was made",
    "wo es angelegt wurde",
    "là où elle a été créée",
    "donde se creó",
    "dove è stata creata",
)
NEXT_RUN = Phrase(
    "next run: in {seconds} s",
    "nächster Lauf: in {seconds} s",
    "prochain passage : dans {seconds} s",
    "próxima ejecución: en {seconds} s",
    "prossima esecuzione: tra {seconds} s",
)
IN = Phrase(
    "in {place}",
    "in {place}",
    "dans {place}",
    "en {place}",
    "in {place}",
)
BY_MEMBERS = Phrase(
    "by members",
    "von Mitgliedern",
    "par des membres",
    "de miembros",
    "dei membri",
)
BY_ANYONE = Phrase(
    "by anyone",
    "von allen",
    "par n'importe qui",
    "de cualquiera",
    "di chiunque",
)
BY = Phrase(
    "by {author}",
    "von {author}",
    "par {author}",
    "de {author}",
    "di {author}",
)
OF = Phrase(
    "of {emoji}",
    "mit {emoji}",
    "avec {emoji}",
    "con {emoji}",
    "con {emoji}",
)
WITH = Phrase(
    "with {words}",
    "mit {words}",
    "avec {words}",
    "con {words}",
    "con {words}",
)
MATCHES = Phrase(
    "that matches {pattern}",
    "passend zu {pattern}",
    "qui correspond à {pattern}",
    "que coincide con {pattern}",
    "che corrisponde a {pattern}",
)
MINUTES_BEFORE = CountedPhrase(
    Phrase(
        "{count} minute before",
        "{count} Minute vorher",
        "{count} minute avant",
        "{count} minuto antes",
        "{count} minuto prima",
    ),
    Phrase(
        "{count} minutes before",
        "{count} Minuten vorher",
        "{count} minutes avant",
        "{count} minutos antes",
        "{count} minuti prima",
    ),
)
OR = Phrase(
    "{one} or {other}",
    "{one} oder {other}",
    "{one} ou {other}",
    "{one} o {other}",
    "{one} o {other}",
)
MESSAGE = Phrase(
    "message",
    "Nachricht",
    "message",
    "mensaje",
    "messaggio",
)
REACTION = Phrase(
    "reaction",
    "Reaktion",
    "réaction",
    "reacción",
    "reazione",
)
POLL_ENDED = Phrase(
    "poll ended",
    "Umfrage zu Ende",
    "sondage terminé",
    "encuesta terminada",
    "sondaggio finito",
)
WEBHOOK = Phrase(
    "webhook",
    "Webhook",
    "appel webhook",
    "llamada webhook",
    "chiamata webhook",
)
NEW_PERSON = Phrase(
    "new person",
    "neue Person",
    "nouvelle personne",
    "persona nueva",
    "persona nuova",
)
MEETING_PREP = Phrase(
    "meeting prep",
    "Besprechung steht bevor",
    "réunion à venir",
    "reunión a la vista",
    "riunione in arrivo",
)
TODO_ASSIGNED = Phrase(
    "todo assigned",
    "Aufgabe zugewiesen",
    "tâche attribuée",
    "tarea asignada",
    "attività assegnata",
)
TODO_WOKEN = Phrase(
    "todo woken",
    "Aufgabe wieder dran",
    "tâche réveillée",
    "tarea despertada",
    "attività risvegliata",
)
EMAIL_RECEIVED = Phrase(
    "email received",
    "Mail bekommen",
    "e-mail reçu",
    "correo recibido",
    "e-mail ricevuta",
)
EMAIL_SENT = Phrase(
    "email sent",
    "Mail verschickt",
    "e-mail envoyé",
    "correo enviado",
    "e-mail inviata",
)
EVENT_ADDED = Phrase(
    "event added",
    "Termin hinzugefügt",
    "événement ajouté",
    "evento añadido",
    "evento aggiunto",
)
PLUGIN = Phrase(
    "plugin",
    "Plug-in",
    "module externe",
    "complemento",
    "estensione",
)

EVENTS: Mapping[EventKind, Phrase] = {
    EventKind.MESSAGE: MESSAGE,
    EventKind.REACTION: REACTION,
    EventKind.POLL_ENDED: POLL_ENDED,
    EventKind.WEBHOOK: WEBHOOK,
    EventKind.NEW_PERSON: NEW_PERSON,
    EventKind.MEETING_PREP: MEETING_PREP,
    EventKind.TODO_ASSIGNED: TODO_ASSIGNED,
    EventKind.TODO_WOKEN: TODO_WOKEN,
    EventKind.EMAIL_RECEIVED: EMAIL_RECEIVED,
    EventKind.EMAIL_SENT: EMAIL_SENT,
    EventKind.EVENT_ADDED: EVENT_ADDED,
    EventKind.PLUGIN: PLUGIN,
}
