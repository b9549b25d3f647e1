"""What `/todo`, `/remindme` and `/undo` say."""

from bot.domain.languages import Phrase

DUE = Phrase(
    ", due {when}",
    ", fällig {when}",
    ", pour le {when}",
    ", vence el {when}",
    ", entro {when}",
)
YOUR_PRIVATE_TODO = Phrase(
    "your private todo",
    "deine private Aufgabe",
    "votre tâche privée",
    "tu tarea privada",
    "la tua attività privata",
)
TITLED = Phrase(
    "“{title}”",
    "„{title}“",
    "« {title} »",
    "«{title}»",
    "«{title}»",
)
DONE_ALREADY = Phrase(
    "Done already: {title}.",
    "Schon erledigt: {title}.",
    "Déjà fait : {title}.",
    "Ya está hecho: {title}.",
    "Già fatto: {title}.",
)
TODO_HOW = Phrase(
    "Say `/todo {usage}`. Without arguments it lists your open todos.",
    "Sag `/todo {usage}`. Ohne weitere Angaben listet es deine offenen Aufgaben auf.",
    "Dites `/todo {usage}`. Sans rien derrière, il liste vos tâches ouvertes.",
    "Di `/todo {usage}`. Sin nada detrás, muestra tus tareas abiertas.",
    "Di' `/todo {usage}`. Senza altro elenca le tue attività aperte.",
)
DONE = Phrase(
    "Done: {title}.",
    "Erledigt: {title}.",
    "C'est fait : {title}.",
    "Hecho: {title}.",
    "Fatto: {title}.",
)
DONE_AGAIN = Phrase(
    "Done for this time: {title}. Next: {when}.",
    "Für dieses Mal erledigt: {title}. Als Nächstes: {when}.",
    "C'est fait pour cette fois : {title}. Prochaine fois : {when}.",
    "Hecho por esta vez: {title}. La próxima: {when}.",
    "Fatto per questa volta: {title}. La prossima: {when}.",
)
MOVED = Phrase(
    "I remind you of {title} on {when}.",
    "Ich erinnere dich an {title} am {when}.",
    "Je vous rappelle {title} le {when}.",
    "Te recuerdo {title} el {when}.",
    "Ti ricordo {title} {when}.",
)
DEFAULT = Phrase(
    "members may remind you from a place where you both are",
    "Mitglieder dürfen dich von einem Ort aus erinnern, an dem ihr beide seid",
    "les membres peuvent vous faire des rappels depuis un lieu où vous êtes tous les deux",
    "los miembros pueden ponerte recordatorios desde un sitio donde estáis ambos",
    "i membri possono farti promemoria da un posto dove siete entrambi",
)
ON = Phrase(
    "members may remind you from anywhere",
    "Mitglieder dürfen dich von überall aus erinnern",
    "les membres peuvent vous faire des rappels de partout",
    "los miembros pueden ponerte recordatorios desde cualquier sitio",
    "i membri possono farti promemoria da ovunque",
)
ASK = Phrase(
    "I ask you about each reminder that somebody sets for you",
    "ich frage dich bei jeder Erinnerung, die jemand für dich anlegt",
    "je vous demande pour chaque rappel que quelqu'un vous destine",
    "te pregunto por cada recordatorio que alguien te ponga",
    "ti chiedo per ogni promemoria che qualcuno ti imposta",
)
OFF = Phrase(
    "nobody but you may have me remind you",
    "nur du selbst darfst dich von mir erinnern lassen",
    "vous seul pouvez me demander de vous rappeler quelque chose",
    "solo tú puedes pedirme que te recuerde algo",
    "solo tu puoi chiedermi di ricordarti qualcosa",
)
MESSAGES_ON = Phrase(
    "members may have me send you a message",
    "Mitglieder dürfen dir über mich eine Nachricht schicken",
    "les membres peuvent vous envoyer un message par moi",
    "los miembros pueden enviarte un mensaje a través de mí",
    "i membri possono mandarti un messaggio tramite me",
)
MESSAGES_OFF = Phrase(
    "nobody may have me send you a message",
    "niemand darf dir über mich eine Nachricht schicken",
    "personne ne peut vous envoyer un message par moi",
    "nadie puede enviarte un mensaje a través de mí",
    "nessuno può mandarti un messaggio tramite me",
)
FROM_NOW_ON = Phrase(
    "From now on {what}.",
    "Ab jetzt gilt: {what}.",
    "Désormais, {what}.",
    "A partir de ahora, {what}.",
    "D'ora in poi {what}.",
)
UNDELIVERED_ASKING = Phrase(
    "not delivered: they have not answered yet",
    "nicht zugestellt: noch keine Antwort",
    "pas encore transmis : sans réponse pour l'instant",
    "no entregado: aún no ha respondido",
    "non consegnato: non ha ancora risposto",
)
UNDELIVERED_YET = Phrase(
    "not delivered yet",
    "noch nicht zugestellt",
    "pas encore transmis",
    "aún no entregado",
    "non ancora consegnato",
)
DELIVERED = Phrase(
    "delivered",
    "zugestellt",
    "transmis",
    "entregado",
    "consegnato",
)
UNDELIVERED = Phrase(
    "not delivered",
    "nicht zugestellt",
    "non transmis",
    "no entregado",
    "non consegnato",
)
REMINDME_HOW = Phrase(
    "Say `/remindme {usage}`.",
    "Sag `/remindme {usage}`.",
    "Dites `/remindme {usage}`.",
    "Di `/remindme {usage}`.",
    "Di' `/remindme {usage}`.",
)
REMINDME_SHOWS = Phrase(
    "Without arguments it shows your settings.",
    "Ohne weitere Angaben zeigt es deine Einstellungen.",
    "Sans rien derrière, il montre vos réglages.",
    "Sin nada detrás, muestra tus ajustes.",
    "Senza altro mostra le tue impostazioni.",
)
ASK_DIRECTLY = Phrase(
    "Ask me in a direct message; others read along here.",
    "Frag mich in einer Direktnachricht; hier lesen andere mit.",
    "Demandez-moi en message privé ; ici, d'autres lisent.",
    "Pregúntame en un mensaje directo; aquí leen otros.",
    "Chiedimelo in un messaggio diretto; qui leggono anche altri.",
)
NOT_REMINDED = Phrase(
    "I won't remind you of it.",
    "Ich erinnere dich nicht daran.",
    "Je ne vous le rappellerai pas.",
    "No te lo recordaré.",
    "Non te lo ricorderò.",
)
STOPPED = Phrase(
    "{name} can't set reminders for you any more. `/remindme again {id}` takes that back.",
    "{name} kann dir keine Erinnerungen mehr anlegen. `/remindme again {id}` nimmt das zurück.",
    "{name} ne peut plus vous faire de rappels. `/remindme again {id}` annule cela.",
    "{name} ya no puede ponerte recordatorios. `/remindme again {id}` lo deshace.",
    "{name} non può più impostarti promemoria. `/remindme again {id}` lo annulla.",
)
DECIDED = Phrase(
    "That was decided already.",
    "Das ist schon entschieden.",
    "C'est déjà décidé.",
    "Eso ya está decidido.",
    "È già stato deciso.",
)
CLOSED = Phrase(
    "That todo is closed already.",
    "Diese Aufgabe ist schon abgeschlossen.",
    "Cette tâche est déjà close.",
    "Esa tarea ya está cerrada.",
    "Quell'attività è già chiusa.",
)
REMINDED_ON = Phrase(
    "I remind you on {when}.",
    "Ich erinnere dich am {when}.",
    "Je vous le rappelle le {when}.",
    "Te lo recuerdo el {when}.",
    "Te lo ricordo {when}.",
)
STOPPED_NOBODY = Phrase(
    "You have stopped nobody called {name}. `/remindme` lists whom you stopped.",
    "Du hast niemanden namens {name} gesperrt. `/remindme` zeigt, wen du gesperrt hast.",
    "Vous n'avez bloqué personne du nom de {name}. `/remindme` montre qui vous avez bloqué.",
    "No has bloqueado a nadie llamado {name}. `/remindme` muestra a quién bloqueaste.",
    "Non hai bloccato nessuno di nome {name}. `/remindme` mostra chi hai bloccato.",
)
MAY_AGAIN = Phrase(
    "`{id}` may set reminders for you again.",
    "`{id}` darf dir wieder Erinnerungen anlegen.",
    "`{id}` peut de nouveau vous faire des rappels.",
    "`{id}` puede volver a ponerte recordatorios.",
    "`{id}` può di nuovo impostarti promemoria.",
)
FROM_OTHERS = Phrase(
    "Reminders from others ({choice}): {means}. Change it with `/remindme {usage}`.",
    "Erinnerungen von anderen ({choice}): {means}. Ändern kannst du es mit `/remindme {usage}`.",
    "Rappels des autres ({choice}) : {means}. Changez-le avec `/remindme {usage}`.",
    "Recordatorios de otros ({choice}): {means}. Cámbialo con `/remindme {usage}`.",
    "Promemoria di altri ({choice}): {means}. Lo cambi con `/remindme {usage}`.",
)
MESSAGES_FROM_OTHERS = Phrase(
    "Messages from others: {means}.",
    "Nachrichten von anderen: {means}.",
    "Messages des autres : {means}.",
    "Mensajes de otros: {means}.",
    "Messaggi di altri: {means}.",
)
YOU_STOPPED = Phrase(
    "You stopped {name} (`{id}`); `/remindme again {id}` takes that back.",
    "Du hast {name} (`{id}`) gesperrt; `/remindme again {id}` nimmt das zurück.",
    "Vous avez bloqué {name} (`{id}`) ; `/remindme again {id}` annule cela.",
    "Bloqueaste a {name} (`{id}`); `/remindme again {id}` lo deshace.",
    "Hai bloccato {name} (`{id}`); `/remindme again {id}` lo annulla.",
)
SET_BY_YOU = Phrase(
    "Set by you for others:",
    "Von dir für andere angelegt:",
    "Vos rappels pour d'autres :",
    "Los que pusiste a otros:",
    "I tuoi promemoria per altri:",
)
NOTHING_TO_UNDO = Phrase(
    "There is nothing to take back.",
    "Es gibt nichts zurückzunehmen.",
    "Il n'y a rien à annuler.",
    "No hay nada que deshacer.",
    "Non c'è nulla da annullare.",
)
NOTHING_OF_LAST_HOUR = Phrase(
    "There is nothing to take back from the last hour.",
    "Aus der letzten Stunde gibt es nichts zurückzunehmen.",
    "Il n'y a rien à annuler de la dernière heure.",
    "No hay nada que deshacer de la última hora.",
    "Non c'è nulla da annullare dell'ultima ora.",
)
UNDO_HOW = Phrase(
    "Say `/undo {usage}`. Without arguments it lists what can be taken back.",
    "Sag `/undo {usage}`. Ohne weitere Angaben listet es auf, was sich zurücknehmen lässt.",
    "Dites `/undo {usage}`. Sans rien derrière, il liste ce qui peut être annulé.",
    "Di `/undo {usage}`. Sin nada detrás, muestra lo que se puede deshacer.",
    "Di' `/undo {usage}`. Senza altro elenca che cosa si può annullare.",
)
NO_CHANGE = Phrase(
    "There is no such change of yours in the last hour. `/undo` lists them.",
    "So eine Änderung von dir gibt es in der letzten Stunde nicht. `/undo` listet sie auf.",
    "Vous n'avez pas fait cette modification dans la dernière heure. `/undo` les liste.",
    "No hay ningún cambio tuyo así en la última hora. `/undo` los muestra.",
    "Nell'ultima ora non c'è una tua modifica così. `/undo` le elenca.",
)
UNDONE_ALREADY = Phrase(
    "Taken back already: {change}.",
    "Schon zurückgenommen: {change}.",
    "Déjà annulé : {change}.",
    "Ya estaba deshecho: {change}.",
    "Già annullato: {change}.",
)
NOT_UNDONE = Phrase(
    "Not taken back, because it was changed since: {change}.",
    "Nicht zurückgenommen, weil es seither geändert wurde: {change}.",
    "Pas annulé, car modifié depuis : {change}.",
    "No lo deshice, porque cambió desde entonces: {change}.",
    "Non annullato, perché nel frattempo è cambiato: {change}.",
)
UNDONE = Phrase(
    "Taken back: {change}.",
    "Zurückgenommen: {change}.",
    "Annulé : {change}.",
    "Deshecho: {change}.",
    "Annullato: {change}.",
)
CHANGES = Phrase(
    "Changes of the last hour, the newest first:",
    "Änderungen der letzten Stunde, die neueste zuerst:",
    "Modifications de la dernière heure, la plus récente d'abord :",
    "Cambios de la última hora, el más reciente primero:",
    "Modifiche dell'ultima ora, dalla più recente:",
)
UNDO_NUMBER = Phrase(
    "`/undo NUMBER` takes one back, `/undo all` all of them.",
    "`/undo NUMMER` nimmt eine zurück, `/undo all` alle.",
    "`/undo NUMÉRO` en annule une, `/undo all` les annule toutes.",
    "`/undo NÚMERO` deshace uno, `/undo all` todos.",
    "`/undo NUMERO` ne annulla una, `/undo all` tutte.",
)
