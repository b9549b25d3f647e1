"""What reminders say, on their buttons too, and how they end."""

from bot.domain.languages import Phrase

REMINDER = Phrase(
    "Reminder: **{title}**",
    "Erinnerung: **{title}**",
    "Rappel : **{title}**",
    "Recordatorio: **{title}**",
    "Promemoria: **{title}**",
)
WAS_DUE = Phrase(
    "It was due {when}; I couldn't remind you then.",
    "Es war fällig: {when}; da konnte ich dich nicht erinnern.",
    "C'était prévu : {when} ; je n'ai pas pu vous le rappeler alors.",
    "Era para: {when}; entonces no pude recordártelo.",
    "Era per: {when}; allora non ho potuto ricordartelo.",
)
REMINDER_FROM = Phrase(
    "Reminder from {who}: **{title}**",
    "Erinnerung von {who}: **{title}**",
    "Rappel de {who} : **{title}**",
    "Recordatorio de {who}: **{title}**",
    "Promemoria da {who}: **{title}**",
)
MAY_I = Phrase(
    "{who} wants me to remind you on {when}:\n> {title}\nMay I?",
    "{who} möchte, dass ich dich erinnere, {when}:\n> {title}\nDarf ich?",
    "{who} veut que je vous rappelle, {when} :\n> {title}\nPuis-je ?",
    "{who} quiere que te recuerde, {when}:\n> {title}\n¿Puedo?",
    "{who} vuole che ti ricordi, {when}:\n> {title}\nPosso?",
)
DONE = Phrase("Done", "Erledigt", "Fait", "Hecho", "Fatto")
TOMORROW = Phrase("Tomorrow", "Morgen", "Demain", "Mañana", "Domani")
IN_AN_HOUR = Phrase("In 1 h", "In 1 h", "Dans 1 h", "En 1 h", "Tra 1 h")
YES = Phrase("Yes", "Ja", "Oui", "Sí", "Sì")
NO = Phrase("No", "Nein", "Non", "No", "No")
NEVER = Phrase(
    "Never from them",
    "Nie von dieser Person",
    "Jamais d'elle",
    "Nunca de esa persona",
    "Mai da lei",
)
STOP = Phrase("Stop {who}", "{who} stoppen", "Bloquer {who}", "Parar a {who}", "Ferma {who}")
NEXT = Phrase(
    "Next: {when}",
    "Als Nächstes: {when}",
    "Prochaine fois : {when}",
    "Próxima vez: {when}",
    "Prossima volta: {when}",
)
ALLOWED = Phrase("Allowed", "Erlaubt", "Permis", "Permitido", "Permesso")
