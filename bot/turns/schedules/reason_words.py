"""Why unattended work did not run or is paused, by the English words that are kept of it."""

from bot.domain.budget_words import BUDGETS
from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

BANNED = Phrase(
    "its owner is banned",
    "der Besitzer ist gesperrt",
    "son propriétaire est banni",
    "su dueño está vetado",
    "il suo proprietario è bandito",
)
UNCONFIRMED = Phrase(
    "text from outside led to it and nobody has confirmed it. It says: “{words}”",
    "Text von außen hat dazu geführt, und niemand hat es bestätigt. Da steht: „{words}“",
    "du texte de l'extérieur y a mené et personne ne l'a confirmé. Il dit : « {words} »",
    "lo provocó texto de fuera y nadie lo ha confirmado. Dice: «{words}»",
    "l'ha provocato testo dall'esterno e nessuno l'ha confermato. Dice: «{words}»",
)
NOT_SEEN_TO_READ = Phrase(
    "{who} can't be seen to read that place any more",
    "es ist nicht mehr zu sehen, dass {who} dort mitliest",
    "on ne voit plus que {who} lise ce lieu",
    "ya no se ve que {who} lea ese lugar",
    "non risulta più che {who} legga quel luogo",
)
ROLES_UNKNOWN = Phrase(
    "{platform} did not tell which roles {who} has",
    "{platform} hat nicht gesagt, welche Rollen {who} hat",
    "{platform} n'a pas dit quels rôles a {who}",
    "{platform} no dijo qué roles tiene {who}",
    "{platform} non ha detto quali ruoli ha {who}",
)
NOT_ALLOWED = Phrase(
    "{who} ({role}) may not have anything scheduled there any more",
    "{who} ({role}) darf dort nichts mehr planen lassen",
    "{who} ({role}) ne peut plus rien y faire planifier",
    "{who} ({role}) ya no puede programar nada allí",
    "{who} ({role}) lì non può più far pianificare nulla",
)
FAILED_AGAIN = Phrase(
    "failed {count} times in a row, the last time: {text}",
    "{count}-mal in Folge gescheitert, zuletzt: {text}",
    "{count} échecs de suite, le dernier : {text}",
    "falló {count} veces seguidas, la última: {text}",
    "fallito {count} volte di fila, l'ultima: {text}",
)
GIVEN_UP = Phrase(
    "it was given up", "aufgegeben", "abandonné", "se dio por perdido", "è stato abbandonato"
)
STOPPED = Phrase(
    "somebody stopped it",
    "jemand hat es angehalten",
    "quelqu'un l'a arrêté",
    "alguien lo paró",
    "qualcuno l'ha fermato",
)
TAKEN_AWAY = Phrase(
    "it was taken away",
    "es wurde weggenommen",
    "cela a été retiré",
    "se retiró",
    "è stato tolto",
)
USED_UP = Phrase(
    "{text} is used up; it goes on next month",
    "{text} ist aufgebraucht; nächsten Monat geht es weiter",
    "{text} est épuisé ; cela reprend le mois prochain",
    "{text} se ha agotado; sigue el mes que viene",
    "{text} è esaurito; si riprende il mese prossimo",
)
TOO_OFTEN = Phrase(
    "it ran {count} times within an hour, which is the most; something may start it again and"
    " again",
    "es lief {count}-mal in einer Stunde, mehr geht nicht; vielleicht startet etwas es immer"
    " wieder",
    "cela a tourné {count} fois en une heure, c'est le maximum ; quelque chose le relance peut-être"
    " sans cesse",
    "se ejecutó {count} veces en una hora, que es el máximo; quizá algo lo inicia una y otra vez",
    "è partito {count} volte in un'ora, che è il massimo; forse qualcosa lo avvia di continuo",
)
CLOSED_THERE = Phrase(
    "automations are off in the channel of its answers (`/automations on` there)",
    "im Kanal der Antworten sind Automationen aus (`/automations on` dort)",
    "les automatisations sont désactivées dans le canal de ses réponses (`/automations on` là-bas)",
    "las automatizaciones están desactivadas en el canal de sus respuestas (`/automations on`"
    " allí)",
    "le automazioni sono disattivate nel canale delle sue risposte (`/automations on` lì)",
)
NOT_PUBLIC = Phrase(
    "the channel that it watches is not public any more, and its answers go elsewhere",
    "der Kanal, den sie liest, ist nicht mehr öffentlich, und ihre Antworten gehen anderswohin",
    "le canal qu'elle suit n'est plus public, et ses réponses vont ailleurs",
    "el canal que vigila ya no es público, y sus respuestas van a otra parte",
    "il canale che segue non è più pubblico, e le sue risposte vanno altrove",
)
PRIVATE_NOW = Phrase(
    "it is private now and others read here; assign it again in a direct message",
    "sie ist jetzt privat, und hier lesen andere mit; gib sie mir in einer Direktnachricht neu auf",
    "elle est privée maintenant et d'autres lisent ici ; redonnez-la-moi en message privé",
    "ahora es privada y aquí leen otros; vuelve a encargármela en un mensaje directo",
    "ora è privata e qui leggono altri; affidamela di nuovo in un messaggio diretto",
)

REASONS = Retelling((
    BANNED,
    UNCONFIRMED,
    NOT_SEEN_TO_READ,
    ROLES_UNKNOWN,
    NOT_ALLOWED,
    FAILED_AGAIN,
    GIVEN_UP,
    STOPPED,
    TAKEN_AWAY,
    USED_UP,
    TOO_OFTEN,
    CLOSED_THERE,
    NOT_PUBLIC,
    PRIVATE_NOW,
    *BUDGETS,
))  # fmt: skip
