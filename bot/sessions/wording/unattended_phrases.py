"""What `/schedule` and `/automations` say."""

from bot.domain.languages import Phrase

SCHEDULE_HOW = Phrase(
    "Say /schedule {usage}. Without arguments it lists what is scheduled.",
    "Sag /schedule {usage}. Ohne weitere Angaben listet es auf, was geplant ist.",
    "Dites /schedule {usage}. Sans rien derrière, il liste ce qui est planifié.",
    "Di /schedule {usage}. Sin nada detrás, muestra lo que está programado.",
    "Di' /schedule {usage}. Senza altro elenca che cosa è pianificato.",
)
NO_SCHEDULE = Phrase(
    "There is no schedule {ref} here. /schedule lists them.",
    "Hier gibt es keinen Zeitplan {ref}. /schedule listet sie auf.",
    "Il n'y a pas de planification {ref} ici. /schedule les liste.",
    "Aquí no hay ninguna programación {ref}. /schedule las muestra.",
    "Qui non c'è nessuna pianificazione {ref}. /schedule le elenca.",
)
SCHEDULE_GONE = Phrase(
    "There is no schedule {ref} any more.",
    "Den Zeitplan {ref} gibt es nicht mehr.",
    "La planification {ref} n'existe plus.",
    "La programación {ref} ya no existe.",
    "La pianificazione {ref} non c'è più.",
)
OVER_ONCE = Phrase(
    "{name} is over: it ran once.",
    "{name} ist vorbei: es lief einmal.",
    "{name} est terminé : c'était pour une seule fois.",
    "{name} ya terminó: era para una sola vez.",
    "{name} è finito: era per una volta sola.",
)
OVER = Phrase(
    "{name} is over.",
    "{name} ist vorbei.",
    "{name} est terminé.",
    "{name} ya terminó.",
    "{name} è finito.",
)
IS_PAUSED = Phrase(
    "{name} is paused.",
    "{name} ist jetzt pausiert.",
    "{name} est en pause.",
    "{name} está en pausa.",
    "{name} è in pausa.",
)
GOES_ON = Phrase(
    "{name} goes on.",
    "{name} läuft weiter.",
    "{name} reprend.",
    "{name} sigue adelante.",
    "{name} riprende.",
)
CANCELLED = Phrase(
    "{name} is cancelled.",
    "{name} ist gestrichen.",
    "{name} est annulé.",
    "{name} queda cancelado.",
    "{name} è annullato.",
)
RUNS_ALREADY = Phrase(
    "{name} is running already.",
    "{name} läuft schon.",
    "{name} tourne déjà.",
    "{name} ya está en marcha.",
    "{name} è già in corso.",
)
RUNS_NOW = Phrase(
    "{name} runs now; its answer is posted where it was made. If it has nothing to say,"
    " `/schedule show {ref}` says so.",
    "{name} läuft jetzt; die Antwort kommt dorthin, wo es angelegt wurde. Gibt es nichts zu"
    " sagen, steht das in `/schedule show {ref}`.",
    "{name} tourne maintenant ; la réponse arrive là où il a été créé. S'il n'y a rien à dire,"
    " `/schedule show {ref}` le montre.",
    "{name} se ejecuta ahora; la respuesta llega a donde se creó. Si no hay nada que decir,"
    " `/schedule show {ref}` lo indica.",
    "{name} parte adesso; la risposta arriva dove è stato creato. Se non c'è niente da dire, lo"
    " mostra `/schedule show {ref}`.",
)
USED_THIS_MONTH = Phrase(
    "used this month: {spent} of {allowed}",
    "diesen Monat verbraucht: {spent} von {allowed}",
    "utilisé ce mois-ci : {spent} sur {allowed}",
    "usado este mes: {spent} de {allowed}",
    "usato questo mese: {spent} su {allowed}",
)
AUTOMATIONS_HOW = Phrase(
    "Say /automations {usage}. Without arguments it lists what runs by itself.",
    "Sag /automations {usage}. Ohne weitere Angaben listet es auf, was von selbst läuft.",
    "Dites /automations {usage}. Sans rien derrière, il liste ce qui tourne tout seul.",
    "Di /automations {usage}. Sin nada detrás, muestra lo que funciona por sí solo.",
    "Di' /automations {usage}. Senza altro elenca che cosa parte da solo.",
)
NO_AUTOMATION = Phrase(
    "There is no automation {ref} here. /automations lists them.",
    "Hier gibt es keine Automation {ref}. /automations listet sie auf.",
    "Il n'y a pas d'automatisation {ref} ici. /automations les liste.",
    "Aquí no hay ninguna automatización {ref}. /automations las muestra.",
    "Qui non c'è nessuna automazione {ref}. /automations le elenca.",
)
NOTHING_BY_ITSELF = Phrase(
    "Nothing runs by itself.",
    "Nichts läuft von selbst.",
    "Rien ne tourne tout seul.",
    "Nada funciona por sí solo.",
    "Niente parte da solo.",
)
IN_CHANNEL = Phrase(
    "Send this command in the channel itself.",
    "Schick diesen Befehl im Kanal selbst.",
    "Envoyez cette commande dans le canal même.",
    "Envía este comando en el propio canal.",
    "Manda questo comando nel canale stesso.",
)
CLOSED = Phrase(
    "Automations read and post nothing here any more.",
    "Automationen lesen und schreiben hier nichts mehr.",
    "Les automatisations ne lisent et ne publient plus rien ici.",
    "Las automatizaciones ya no leen ni publican nada aquí.",
    "Le automazioni qui non leggono e non scrivono più nulla.",
)
CLOSED_ALREADY = Phrase(
    "They are off here already.",
    "Sie sind hier schon aus.",
    "Elles sont déjà désactivées ici.",
    "Aquí ya están desactivadas.",
    "Qui sono già disattivate.",
)
OPEN_ALREADY = Phrase(
    "Automations are on in this channel already; {by} said so.",
    "In diesem Kanal sind Automationen schon an; {by} hat es so gewollt.",
    "Les automatisations sont déjà actives dans ce canal ; {by} l'a voulu.",
    "En este canal las automatizaciones ya están activas; lo dijo {by}.",
    "In questo canale le automazioni sono già attive; l'ha deciso {by}.",
)
OPENED = Phrase(
    "Done. I told the channel.",
    "Erledigt. Ich habe es dem Kanal gesagt.",
    "C'est fait. Je l'ai dit au canal.",
    "Hecho. Se lo he dicho al canal.",
    "Fatto. L'ho detto al canale.",
)
NOT_STARTED = Phrase(
    "Nothing has started it yet.",
    "Noch nichts hat sie gestartet.",
    "Rien ne l'a encore lancée.",
    "Aún nada la ha iniciado.",
    "Finora niente l'ha avviata.",
)
SWITCHED_ON = Phrase(
    "{name} switched automations on in this channel. They may read messages here and post. I"
    " announce each one that reads here. `/automations off` switches them off.",
    "{name} hat in diesem Kanal Automationen eingeschaltet. Sie dürfen hier Nachrichten lesen und"
    " schreiben. Jede, die hier mitliest, kündige ich an. `/automations off` schaltet sie aus.",
    "{name} a activé les automatisations dans ce canal. Elles peuvent y lire les messages et"
    " publier. J'annonce chacune de celles qui lisent ici. `/automations off` les désactive.",
    "{name} ha activado las automatizaciones en este canal. Pueden leer mensajes aquí y publicar."
    " Anuncio cada una que lee aquí. `/automations off` las desactiva.",
    "{name} ha attivato le automazioni in questo canale. Possono leggere i messaggi qui e"
    " scrivere. Annuncio ognuna che legge qui. `/automations off` le disattiva.",
)
