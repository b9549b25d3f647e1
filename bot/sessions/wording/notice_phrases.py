"""What people are told of work that nobody asked for just now, and of a conversation's summary."""

from collections.abc import Mapping

from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

SCHEDULE_PAUSED = Phrase(
    "I paused the schedule “{name}” ({ref}): {why}. `/schedule resume {ref}` resumes it,"
    " `/schedule cancel {ref}` removes it.",
    "Ich habe den Zeitplan „{name}“ ({ref}) pausiert: {why}. `/schedule resume {ref}` setzt ihn"
    " fort, `/schedule cancel {ref}` löscht ihn.",
    "J'ai mis en pause la planification « {name} » ({ref}) : {why}. `/schedule resume {ref}` la"
    " reprend, `/schedule cancel {ref}` la supprime.",
    "He puesto en pausa la programación «{name}» ({ref}): {why}. `/schedule resume {ref}` la"
    " reanuda, `/schedule cancel {ref}` la borra.",
    "Ho messo in pausa la pianificazione «{name}» ({ref}): {why}. `/schedule resume {ref}` la"
    " riprende, `/schedule cancel {ref}` la toglie.",
)
AUTOMATION_PAUSED = Phrase(
    "I paused the automation {name}: {why}. `/automations resume {ref}` resumes it.",
    "Ich habe die Automation {name} pausiert: {why}. `/automations resume {ref}` setzt sie fort.",
    "J'ai mis en pause l'automatisation {name} : {why}. `/automations resume {ref}` la reprend.",
    "He puesto en pausa la automatización {name}: {why}. `/automations resume {ref}` la reanuda.",
    "Ho messo in pausa l'automazione {name}: {why}. `/automations resume {ref}` la riprende.",
)
LEFT_OUT = Phrase(
    "I left out {name} this time: {why}.",
    "{name} habe ich diesmal ausgelassen: {why}.",
    "Cette fois, j'ai laissé {name} de côté : {why}.",
    "Esta vez me he saltado {name}: {why}.",
    "Questa volta ho saltato {name}: {why}.",
)
AUTOMATION_LEFT_OUT = Phrase(
    "I left out the automation {name} this time: {why}.",
    "Die Automation {name} habe ich diesmal ausgelassen: {why}.",
    "Cette fois, j'ai laissé l'automatisation {name} de côté : {why}.",
    "Esta vez me he saltado la automatización {name}: {why}.",
    "Questa volta ho saltato l'automazione {name}: {why}.",
)
BUDGET_USED_UP = Phrase(
    "{name}: {why}.", "{name}: {why}.", "{name} : {why}.", "{name}: {why}.", "{name}: {why}."
)
TODO_NOT_DONE = Phrase(
    "{todo} was to be worked on now, but I didn't: {why}.",
    "{todo} war jetzt dran, aber ich habe sie nicht begonnen: {why}.",
    "{todo} était à faire maintenant, mais je ne l'ai pas commencée : {why}.",
    "{todo} tocaba ahora, pero no la empecé: {why}.",
    "{todo} era da fare adesso, ma non l'ho cominciata: {why}.",
)
THE_TODO = Phrase(
    "The todo “{title}”",
    "Die Aufgabe „{title}“",
    "La tâche « {title} »",
    "La tarea «{title}»",
    "L'attività «{title}»",
)
PRIVATE_TODO = Phrase(
    "A private todo of yours",
    "Eine private Aufgabe von dir",
    "Une de vos tâches privées",
    "Una tarea privada tuya",
    "Una tua attività privata",
)
READS_HERE = Phrase(
    "The automation {name} of {who} reads {what} in this channel from now on. A Partner ends that"
    " with `/automations off`.",
    "Die Automation {name} von {who} liest ab jetzt {what} in diesem Kanal. Ein Partner beendet das"
    " mit `/automations off`.",
    "L'automatisation {name} de {who} lit désormais {what} dans ce canal. Un Partner y met fin avec"
    " `/automations off`.",
    "La automatización {name} de {who} lee desde ahora {what} en este canal. Un Partner lo termina"
    " con `/automations off`.",
    "L'automazione {name} di {who} d'ora in poi legge {what} in questo canale. Un Partner vi mette"
    " fine con `/automations off`.",
)
MESSAGES = Phrase("messages", "Nachrichten", "les messages", "los mensajes", "i messaggi")
REACTIONS = Phrase("reactions", "Reaktionen", "les réactions", "las reacciones", "le reazioni")
POLL_RESULTS = Phrase(
    "the results of my polls",
    "die Ergebnisse meiner Umfragen",
    "les résultats de mes sondages",
    "los resultados de mis encuestas",
    "i risultati dei miei sondaggi",
)
BOOKED: Mapping[bool, Phrase] = {
    True: Phrase(
        "Somebody booked a time with you: {when}. It is in your calendar. `/booking` says who.",
        "Jemand hat eine Zeit bei dir gebucht: {when}. Sie steht in deinem Kalender. `/booking`"
        " sagt, wer.",
        "Quelqu'un a réservé un moment avec vous : {when}. C'est dans votre agenda. `/booking` dit"
        " qui.",
        "Alguien ha reservado una hora contigo: {when}. Está en tu calendario. `/booking` dice"
        " quién.",
        "Qualcuno ha prenotato un orario con te: {when}. È nel tuo calendario. `/booking` dice"
        " chi.",
    ),
    False: Phrase(
        "Somebody booked a time with you: {when}. I could not put it into your calendar; please do"
        " it yourself. `/booking` says who.",
        "Jemand hat eine Zeit bei dir gebucht: {when}. Ich konnte sie nicht in deinen Kalender"
        " eintragen; mach das bitte selbst. `/booking` sagt, wer.",
        "Quelqu'un a réservé un moment avec vous : {when}. Je n'ai pas pu le mettre dans votre"
        " agenda ; faites-le vous-même. `/booking` dit qui.",
        "Alguien ha reservado una hora contigo: {when}. No pude ponerla en tu calendario; hazlo tú,"
        " por favor. `/booking` dice quién.",
        "Qualcuno ha prenotato un orario con te: {when}. Non ho potuto metterlo nel tuo calendario;"
        " fallo tu, per favore. `/booking` dice chi.",
    ),
}
"""By whether it is in their calendar."""

NOTHING_TO_SUMMARISE = Phrase(
    "There is nothing to summarise yet.",
    "Es gibt noch nichts zusammenzufassen.",
    "Il n'y a encore rien à résumer.",
    "Todavía no hay nada que resumir.",
    "Non c'è ancora nulla da riassumere.",
)
SUMMARY_STOPPED = Phrase(
    "Stopped. Our conversation stays as it is.",
    "Angehalten. Unser Gespräch bleibt, wie es ist.",
    "Arrêté. Notre conversation reste telle quelle.",
    "Detenido. Nuestra conversación queda como está.",
    "Fermato. La nostra conversazione resta com'è.",
)
NOT_SUMMARISED = Phrase(
    "I could not summarise it: {why}. Our conversation stays as it is. (reference {ref})",
    "Ich konnte es nicht zusammenfassen: {why}. Unser Gespräch bleibt, wie es ist. (Referenz"
    " {ref})",
    "Je n'ai pas pu la résumer : {why}. Notre conversation reste telle quelle. (référence {ref})",
    "No pude resumirla: {why}. Nuestra conversación queda como está. (referencia {ref})",
    "Non ho potuto riassumerla: {why}. La nostra conversazione resta com'è. (riferimento {ref})",
)
SUMMARISED = Phrase(
    "Done: I go on from a summary of our conversation. /new would forget the conversation itself;"
    " files, todos, notes and memory stay either way.",
    "Erledigt: ich mache mit einer Zusammenfassung unseres Gesprächs weiter. /new würde das"
    " Gespräch selbst vergessen; Dateien, Aufgaben, Notizen und Gedächtnis bleiben so oder so.",
    "C'est fait : je continue à partir d'un résumé de notre conversation. /new oublierait la"
    " conversation elle-même ; fichiers, tâches, notes et mémoire restent dans les deux cas.",
    "Hecho: sigo a partir de un resumen de nuestra conversación. /new olvidaría la conversación"
    " misma; archivos, tareas, notas y memoria se quedan en ambos casos.",
    "Fatto: continuo da un riassunto della nostra conversazione. /new dimenticherebbe la"
    " conversazione stessa; file, attività, note e memoria restano in ogni caso.",
)
WHY_NOT_SUMMARISED = Retelling((
    Phrase(
        "the model could not write it ({kind})",
        "das Modell konnte sie nicht schreiben ({kind})",
        "le modèle n'a pas pu l'écrire ({kind})",
        "el modelo no pudo escribirlo ({kind})",
        "il modello non ha potuto scriverlo ({kind})",
    ),
    Phrase(
        "the summary ended with {reason}",
        "die Zusammenfassung endete mit {reason}",
        "le résumé s'est terminé par {reason}",
        "el resumen terminó con {reason}",
        "il riassunto è finito con {reason}",
    ),
    Phrase(
        "the summary has {count} characters for a conversation of {all}",
        "die Zusammenfassung hat {count} Zeichen für ein Gespräch von {all}",
        "le résumé a {count} caractères pour une conversation de {all}",
        "el resumen tiene {count} caracteres para una conversación de {all}",
        "il riassunto ha {count} caratteri per una conversazione di {all}",
    ),
    Phrase(
        "the summary is no shorter than the conversation",
        "die Zusammenfassung ist nicht kürzer als das Gespräch",
        "le résumé n'est pas plus court que la conversation",
        "el resumen no es más corto que la conversación",
        "il riassunto non è più corto della conversazione",
    ),
    Phrase(
        "it failed a short while ago",
        "es ist vor Kurzem gescheitert",
        "cela a échoué il y a peu",
        "falló hace poco",
        "è fallito da poco",
    ),
    Phrase(
        "the budget is used up",
        "das Budget ist aufgebraucht",
        "le budget est épuisé",
        "el presupuesto se ha agotado",
        "il budget è esaurito",
    ),
))  # fmt: skip
"""By the English words of the reason."""
