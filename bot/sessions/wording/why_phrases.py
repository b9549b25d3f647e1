"""The words of `/why`: how a message arrived, what ran, what was asked and sent."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

NOTHING_HERE = Phrase(
    "I remember no message of yours in this conversation.",
    "Ich erinnere mich an keine Nachricht von dir in diesem Gespräch.",
    "Je ne me souviens d'aucun message de vous dans cette conversation.",
    "No recuerdo ningún mensaje tuyo en esta conversación.",
    "Non ricordo nessun tuo messaggio in questa conversazione.",
)
PRIVATE = Phrase(
    "That happened in a private conversation; ask me there.",
    "Das war in einem privaten Gespräch; frag mich dort.",
    "C'était dans une conversation privée ; demandez-moi là-bas.",
    "Eso fue en una conversación privada; pregúntame allí.",
    "È successo in una conversazione privata; chiedimi lì.",
)
UNKNOWN = Phrase(
    "I remember nothing of '{ref}'. References look like t3f; /why alone tells about your last"
    " message.",
    "Von '{ref}' weiß ich nichts. Referenzen sehen aus wie t3f; /why allein erzählt von deiner"
    " letzten Nachricht.",
    "Je ne sais rien de '{ref}'. Les références ressemblent à t3f ; /why seul parle de votre"
    " dernier message.",
    "No sé nada de '{ref}'. Las referencias son como t3f; /why sin nada habla de tu último"
    " mensaje.",
    "Non so nulla di '{ref}'. I riferimenti sono come t3f; /why da solo parla del tuo ultimo"
    " messaggio.",
)
PURGED = Phrase(
    "Its turn was purged by now; the cycle log still knows this:",
    "Sein Vorgang ist inzwischen gelöscht; das Protokoll weiß noch:",
    "Son traitement a été effacé depuis ; le journal sait encore :",
    "Su turno ya se borró; el registro aún sabe esto:",
    "Il suo turno è stato cancellato; il registro sa ancora questo:",
)
OUTCOME = Phrase(
    "Outcome: {what}", "Ausgang: {what}", "Issue : {what}", "Resultado: {what}", "Esito: {what}"
)
ACCEPTED = Phrase(
    "Accepted {time} UTC, {how}, key `{key}`",
    "Angenommen {time} UTC, {how}, Schlüssel `{key}`",
    "Accepté le {time} UTC, {how}, clé `{key}`",
    "Aceptado {time} UTC, {how}, clave `{key}`",
    "Accettato {time} UTC, {how}, chiave `{key}`",
)
YOU_WROTE = Phrase(
    'You wrote: "{words}"',
    "Du hast geschrieben: „{words}“",
    "Vous avez écrit : « {words} »",
    "Escribiste: «{words}»",
    "Hai scritto: «{words}»",
)
ADDRESSED: Mapping[str, Phrase] = {
    "dm": Phrase(
        "a direct message",
        "eine Direktnachricht",
        "un message privé",
        "un mensaje directo",
        "un messaggio diretto",
    ),
    "mention": Phrase("a mention", "eine Erwähnung", "une mention", "una mención", "una menzione"),
    "reply": Phrase(
        "a reply to me",
        "eine Antwort an mich",
        "une réponse à moi",
        "una respuesta a mí",
        "una risposta a me",
    ),
    "followed": Phrase(
        "a message in a thread that I follow",
        "eine Nachricht in einem Thread, dem ich folge",
        "un message dans un fil que je suis",
        "un mensaje en un hilo que sigo",
        "un messaggio in una discussione che seguo",
    ),
    "command": Phrase(
        "a command or click",
        "ein Befehl oder Klick",
        "une commande ou un clic",
        "un comando o clic",
        "un comando o clic",
    ),
    "none": Phrase(
        "not addressed to me",
        "nicht an mich gerichtet",
        "ne s'adressait pas à moi",
        "no dirigido a mí",
        "non rivolto a me",
    ),
}
FORGOTTEN = Phrase(
    "words that were forgotten",
    "Worte, die vergessen sind",
    "des mots oubliés",
    "palabras olvidadas",
    "parole dimenticate",
)
OWN_WORK = Phrase(
    "work of my own", "eigene Arbeit", "mon propre travail", "trabajo mío", "lavoro mio"
)
ANSWER_TO = Phrase(
    "the answer to my question {ref}",
    "die Antwort auf meine Frage {ref}",
    "la réponse à ma question {ref}",
    "la respuesta a mi pregunta {ref}",
    "la risposta alla mia domanda {ref}",
)
DECISION_ABOUT = Phrase(
    "the decision about approval {ref}",
    "die Entscheidung über die Freigabe {ref}",
    "la décision sur l'approbation {ref}",
    "la decisión sobre la aprobación {ref}",
    "la decisione sull'approvazione {ref}",
)
IN_BACKGROUND = Phrase(
    "agent {agent} in the background",
    "Agent {agent} im Hintergrund",
    "agent {agent} en arrière-plan",
    "agente {agent} en segundo plano",
    "agente {agent} in secondo piano",
)
ATTEMPTS = Phrase(
    "Attempts: {count}",
    "Versuche: {count}",
    "Tentatives : {count}",
    "Intentos: {count}",
    "Tentativi: {count}",
)
ATTEMPT_FAILED = Phrase(
    "An attempt failed: {what}",
    "Ein Versuch ist gescheitert: {what}",
    "Une tentative a échoué : {what}",
    "Un intento falló: {what}",
    "Un tentativo è fallito: {what}",
)
YOU_STOPPED = Phrase(
    "You told me to stop",
    "Du hast mich angehalten",
    "Vous m'avez dit d'arrêter",
    "Me dijiste que parara",
    "Mi hai detto di fermarmi",
)
THEY_STOPPED = Phrase(
    "The person told me to stop",
    "Die Person hat mich angehalten",
    "La personne m'a dit d'arrêter",
    "La persona me dijo que parara",
    "La persona mi ha detto di fermarmi",
)
NOT_ASKED = Phrase(
    "The model was not asked: refused by the rule {rule}",
    "Das Modell wurde nicht gefragt: abgelehnt von der Regel {rule}",
    "Le modèle n'a pas été interrogé : refusé par la règle {rule}",
    "No se preguntó al modelo: rechazado por la regla {rule}",
    "Il modello non è stato interrogato: rifiutato dalla regola {rule}",
)
MORE_CALLS = Phrase(
    "More model calls were granted: {count}",
    "Weitere Modellaufrufe bewilligt: {count}",
    "Appels supplémentaires au modèle accordés : {count}",
    "Se concedieron más llamadas al modelo: {count}",
    "Concesse altre chiamate al modello: {count}",
)
ENDED_AFTER = Phrase(
    "Ended after {seconds} s: {what}",
    "Beendet nach {seconds} s: {what}",
    "Terminé après {seconds} s : {what}",
    "Terminado tras {seconds} s: {what}",
    "Terminato dopo {seconds} s: {what}",
)
YOU_SAID = Phrase(
    "You said: {what}",
    "Du hast gesagt: {what}",
    "Vous avez dit : {what}",
    "Dijiste: {what}",
    "Hai detto: {what}",
)
THEY_SAID = Phrase(
    "The person said: {what}",
    "Die Person hat gesagt: {what}",
    "La personne a dit : {what}",
    "La persona dijo: {what}",
    "La persona ha detto: {what}",
)
RATED: Mapping[bool, Phrase] = {
    True: Phrase("it helped", "es hat geholfen", "c'était utile", "ayudó", "ha aiutato"),
    False: Phrase(
        "it did not help",
        "es hat nicht geholfen",
        "ce n'était pas utile",
        "no ayudó",
        "non ha aiutato",
    ),
}
HANDED_TO = CountedPhrase(
    Phrase(
        "Handed to {count} agent: {tokens} tokens{share}",
        "Abgegeben an {count} Agenten: {tokens} Tokens{share}",
        "Confié à {count} agent : {tokens} tokens{share}",
        "Entregado a {count} agente: {tokens} tokens{share}",
        "Affidato a {count} agente: {tokens} token{share}",
    ),
    Phrase(
        "Handed to {count} agents: {tokens} tokens{share}",
        "Abgegeben an {count} Agenten: {tokens} Tokens{share}",
        "Confié à {count} agents : {tokens} tokens{share}",
        "Entregado a {count} agentes: {tokens} tokens{share}",
        "Affidato a {count} agenti: {tokens} token{share}",
    ),
)
OF_REQUEST = Phrase(
    "{percent} % of this request",
    "{percent} % dieser Anfrage",
    "{percent} % de cette demande",
    "{percent} % de esta petición",
    "{percent} % di questa richiesta",
)
MODEL_FAILED = Phrase(
    "Model call {step} failed: {what}{took}",
    "Modellaufruf {step} gescheitert: {what}{took}",
    "Appel au modèle {step} échoué : {what}{took}",
    "La llamada al modelo {step} falló: {what}{took}",
    "Chiamata al modello {step} fallita: {what}{took}",
)
MODEL_CALL = Phrase(
    "Model call {step}: {model}, {read} tokens in, {written} out, ended with {reason}{tries}{took}",
    "Modellaufruf {step}: {model}, {read} Tokens gelesen, {written} geschrieben, beendet mit"
    " {reason}{tries}{took}",
    "Appel au modèle {step} : {model}, {read} tokens lus, {written} écrits, terminé par"
    " {reason}{tries}{took}",
    "Llamada al modelo {step}: {model}, {read} tokens leídos, {written} escritos, terminó con"
    " {reason}{tries}{took}",
    "Chiamata al modello {step}: {model}, {read} token letti, {written} scritti, terminata con"
    " {reason}{tries}{took}",
)
TRIES = CountedPhrase(
    Phrase("{count} try", "{count} Versuch", "{count} essai", "{count} intento", "{count} prova"),
    Phrase(
        "{count} tries", "{count} Versuche", "{count} essais", "{count} intentos", "{count} prove"
    ),
)
WITHHELD = Phrase(
    ", output withheld by {rule}",
    ", Ausgabe zurückgehalten von {rule}",
    ", résultat retenu par {rule}",
    ", salida retenida por {rule}",
    ", risultato trattenuto da {rule}",
)
DECIDED: Mapping[str, Phrase] = {
    "allow": Phrase(
        "allowed by {rule}",
        "erlaubt von {rule}",
        "permis par {rule}",
        "permitido por {rule}",
        "permesso da {rule}",
    ),
    "ask": Phrase(
        "asked about by {rule}",
        "gefragt wegen {rule}",
        "demandé à cause de {rule}",
        "preguntado por {rule}",
        "chiesto per {rule}",
    ),
    "defer": Phrase(
        "nobody was there to say yes, put off by {rule}",
        "niemand war da für ein Ja, aufgeschoben von {rule}",
        "personne n'était là pour dire oui, remis par {rule}",
        "no había nadie para decir sí, aplazado por {rule}",
        "non c'era nessuno per dire sì, rimandato da {rule}",
    ),
}
TOOL = Phrase(
    "Tool `{tool}`: {fate}{how}{took}",
    "Werkzeug `{tool}`: {fate}{how}{took}",
    "Outil `{tool}` : {fate}{how}{took}",
    "Herramienta `{tool}`: {fate}{how}{took}",
    "Strumento `{tool}`: {fate}{how}{took}",
)
HIDDEN_TOOL = Phrase(
    "A tool that is not here: refused",
    "Ein Werkzeug, das nicht hier ist: abgelehnt",
    "Un outil qui n'est pas ici : refusé",
    "Una herramienta que no está aquí: rechazada",
    "Uno strumento che non è qui: rifiutato",
)
REFUSED_BY = Phrase(
    "refused by the rule {rule}",
    "abgelehnt von der Regel {rule}",
    "refusé par la règle {rule}",
    "rechazado por la regla {rule}",
    "rifiutato dalla regola {rule}",
)
BEGUN = Phrase(
    "begun, no result yet",
    "begonnen, noch kein Ergebnis",
    "commencé, pas encore de résultat",
    "empezado, aún sin resultado",
    "cominciato, ancora nessun risultato",
)
FINE = Phrase("ok", "ok", "ok", "ok", "ok")
FAILED = Phrase("failed", "gescheitert", "échec", "falló", "fallito")
NOT_RUN_THEN = Phrase(
    "not run then",
    "damals nicht gelaufen",
    "pas exécuté alors",
    "no se ejecutó entonces",
    "non eseguito allora",
)
AND_MORE = Phrase(
    "… and {count} more: `bellhop cycles show {cycle}`",
    "… und {count} weitere: `bellhop cycles show {cycle}`",
    "… et {count} autres : `bellhop cycles show {cycle}`",
    "… y {count} más: `bellhop cycles show {cycle}`",
    "… e altre {count}: `bellhop cycles show {cycle}`",
)
QUESTION = Phrase(
    "Question {ref}{text}: asked {asked}, {state}{closed}",
    "Frage {ref}{text}: gestellt {asked}, {state}{closed}",
    "Question {ref}{text} : posée {asked}, {state}{closed}",
    "Pregunta {ref}{text}: hecha {asked}, {state}{closed}",
    "Domanda {ref}{text}: fatta {asked}, {state}{closed}",
)
STATES: Mapping[str, Phrase] = {
    "open": Phrase("open", "offen", "ouverte", "abierta", "aperta"),
    "answered": Phrase("answered", "beantwortet", "répondue", "respondida", "risposta"),
    "expired": Phrase("expired", "abgelaufen", "expirée", "caducada", "scaduta"),
    "closed": Phrase("closed", "geschlossen", "fermée", "cerrada", "chiusa"),
    "cancelled": Phrase("cancelled", "abgebrochen", "annulée", "cancelada", "annullata"),
    "approved": Phrase("approved", "gegeben", "donnée", "dada", "data"),
    "rejected": Phrase("rejected", "abgelehnt", "refusée", "rechazada", "rifiutata"),
}
"""Of questions and approvals."""
BY = Phrase(" by {who}", " von {who}", " par {who}", " por {who}", " da {who}")
OPEN_UNTIL = Phrase(
    "open until {time} UTC",
    "offen bis {time} UTC",
    "ouverte jusqu'au {time} UTC",
    "abierta hasta {time} UTC",
    "aperta fino a {time} UTC",
)
AND_RAN = Phrase(
    "approved{by}, and it ran",
    "gegeben{by}, und es lief",
    "donnée{by}, et exécutée",
    "dada{by}, y se ejecutó",
    "data{by}, ed eseguita",
)
WENT_ON = Phrase(
    " (went on as {ref})",
    " (ging weiter als {ref})",
    " (suite sous {ref})",
    " (siguió como {ref})",
    " (proseguito come {ref})",
)
ASKED_BECAUSE = Phrase(
    ", asked because {reason}",
    ", gefragt, weil: {reason}",
    ", demandée parce que : {reason}",
    ", preguntada porque: {reason}",
    ", chiesta perché: {reason}",
)
APPROVAL = Phrase(
    "Approval {ref} for `{tool}`{why}{doubt}: {state}{then}",
    "Freigabe {ref} für `{tool}`{why}{doubt}: {state}{then}",
    "Approbation {ref} pour `{tool}`{why}{doubt} : {state}{then}",
    "Aprobación {ref} para `{tool}`{why}{doubt}: {state}{then}",
    "Approvazione {ref} per `{tool}`{why}{doubt}: {state}{then}",
)
COMES_FROM = Phrase(
    "{field} comes from {source}",
    "{field} kommt aus {source}",
    "{field} vient de {source}",
    "{field} viene de {source}",
    "{field} viene da {source}",
)
NO_TEXT = Phrase(
    "no text here", "keinem Text hier", "aucun texte d'ici", "ningún texto de aquí",
    "nessun testo di qui",
)  # fmt: skip
AND_ITS = Phrase(", and its {what}", ", und {what}", ", et {what}", ", y {what}", ", e {what}")
AND = Phrase(" and ", " und ", " et ", " y ", " e ")
SENDS: Mapping[str, Phrase] = {
    "answer": Phrase(
        "Send of the answer",
        "Senden der Antwort",
        "Envoi de la réponse",
        "Envío de la respuesta",
        "Invio della risposta",
    ),
    "apology": Phrase(
        "Send of the apology",
        "Senden der Entschuldigung",
        "Envoi des excuses",
        "Envío de la disculpa",
        "Invio delle scuse",
    ),
    "approval": Phrase(
        "Send of the approval card",
        "Senden der Freigabekarte",
        "Envoi de la carte d'approbation",
        "Envío de la tarjeta de aprobación",
        "Invio della scheda di approvazione",
    ),
    "question": Phrase(
        "Send of the question",
        "Senden der Frage",
        "Envoi de la question",
        "Envío de la pregunta",
        "Invio della domanda",
    ),
    "between": Phrase(
        "Send in between",
        "Senden zwischendurch",
        "Envoi intermédiaire",
        "Envío intermedio",
        "Invio intermedio",
    ),
}
SEND_UNKNOWN = Phrase(
    "begun; whether the platform took it is not known yet",
    "begonnen; ob die Plattform es nahm, ist noch nicht bekannt",
    "commencé ; on ne sait pas encore si la plateforme l'a pris",
    "empezado; aún no se sabe si la plataforma lo aceptó",
    "cominciato; non si sa ancora se la piattaforma l'ha preso",
)
SEND_REFUSED = Phrase(
    "dropped, the platform refused it: {why}",
    "verworfen, die Plattform lehnte es ab: {why}",
    "abandonné, la plateforme l'a refusé : {why}",
    "descartado, la plataforma lo rechazó: {why}",
    "scartato, la piattaforma l'ha rifiutato: {why}",
)
DELIVERED = Phrase(
    "delivered {at}", "zugestellt {at}", "remis {at}", "entregado {at}", "consegnato {at}"
)
KEPT_FOR_LATER = Phrase(
    "kept for later: {why}",
    "aufgehoben für später: {why}",
    "gardé pour plus tard : {why}",
    "guardado para después: {why}",
    "tenuto per dopo: {why}",
)
DELIVERED_AT_TRY = Phrase(
    "delivered, try {number} (before that: {why})",
    "zugestellt, Versuch {number} (davor: {why})",
    "remis, essai {number} (avant : {why})",
    "entregado, intento {number} (antes: {why})",
    "consegnato, prova {number} (prima: {why})",
)
DROPPED_AFTER = Phrase(
    "dropped after {tries}: {why}",
    "verworfen nach {tries}: {why}",
    "abandonné après {tries} : {why}",
    "descartado tras {tries}: {why}",
    "scartato dopo {tries}: {why}",
)
PENDING_AFTER = Phrase(
    "pending after {tries} ({why}), next try {at}",
    "noch offen nach {tries} ({why}), nächster Versuch {at}",
    "en attente après {tries} ({why}), prochain essai {at}",
    "pendiente tras {tries} ({why}), próximo intento {at}",
    "in sospeso dopo {tries} ({why}), prossima prova {at}",
)
TAKEN_AS = Phrase(
    "taken as the answer to {ref}",
    "genommen als Antwort auf {ref}",
    "pris comme réponse à {ref}",
    "tomado como respuesta a {ref}",
    "preso come risposta a {ref}",
)
RECORDED = Phrase(
    "recorded; it starts no turn",
    "verzeichnet; es startet nichts",
    "enregistré ; cela ne lance rien",
    "registrado; no inicia nada",
    "registrato; non avvia nulla",
)
THE_RULE = Phrase(
    "{told}; the rule is {rule}",
    "{told}; die Regel ist {rule}",
    "{told} ; la règle est {rule}",
    "{told}; la regla es {rule}",
    "{told}; la regola è {rule}",
)
SILENT: Mapping[str, Phrase] = {
    "banned": Phrase(
        "not answered: the sender is banned; it was only recorded",
        "nicht beantwortet: der Absender ist gesperrt; nur verzeichnet",
        "sans réponse : l'auteur est banni ; seulement enregistré",
        "sin respuesta: el remitente está vetado; solo se registró",
        "senza risposta: il mittente è bandito; solo registrato",
    ),
    "bot": Phrase(
        "not answered: the sender is a bot; it was only recorded",
        "nicht beantwortet: der Absender ist ein Bot; nur verzeichnet",
        "sans réponse : l'auteur est un bot ; seulement enregistré",
        "sin respuesta: el remitente es un bot; solo se registró",
        "senza risposta: il mittente è un bot; solo registrato",
    ),
    "missed": Phrase(
        "not answered: it was written while I was away, and catch_up excludes it; I kept it as"
        " context",
        "nicht beantwortet: geschrieben, als ich weg war, und catch_up schließt es aus; ich habe es"
        " als Kontext behalten",
        "sans réponse : écrit pendant mon absence, et catch_up l'exclut ; je l'ai gardé comme"
        " contexte",
        "sin respuesta: se escribió cuando yo no estaba, y catch_up lo excluye; lo guardé como"
        " contexto",
        "senza risposta: scritto mentre ero assente, e catch_up lo esclude; l'ho tenuto come"
        " contesto",
    ),
    "guests": Phrase(
        "not answered: guests get no answer in this place; it was only recorded",
        "nicht beantwortet: Gäste bekommen hier keine Antwort; nur verzeichnet",
        "sans réponse : les invités n'en reçoivent pas ici ; seulement enregistré",
        "sin respuesta: los invitados no la reciben aquí; solo se registró",
        "senza risposta: qui gli ospiti non ne ricevono; solo registrato",
    ),
    "unknown": Phrase(
        "not answered: nobody has said yet who the sender is (access.unknown_people)",
        "nicht beantwortet: noch hat niemand gesagt, wer der Absender ist (access.unknown_people)",
        "sans réponse : personne n'a encore dit qui est l'auteur (access.unknown_people)",
        "sin respuesta: nadie ha dicho aún quién es el remitente (access.unknown_people)",
        "senza risposta: nessuno ha ancora detto chi è il mittente (access.unknown_people)",
    ),
    "quiet": Phrase(
        "not answered: I only listen in this place; I kept it as context",
        "nicht beantwortet: hier höre ich nur zu; ich habe es als Kontext behalten",
        "sans réponse : ici j'écoute seulement ; je l'ai gardé comme contexte",
        "sin respuesta: aquí solo escucho; lo guardé como contexto",
        "senza risposta: qui ascolto soltanto; l'ho tenuto come contesto",
    ),
    "not_addressed": Phrase(
        "not answered: it was not addressed to me; I kept it as context",
        "nicht beantwortet: nicht an mich gerichtet; ich habe es als Kontext behalten",
        "sans réponse : ne s'adressait pas à moi ; je l'ai gardé comme contexte",
        "sin respuesta: no iba dirigido a mí; lo guardé como contexto",
        "senza risposta: non era rivolto a me; l'ho tenuto come contesto",
    ),
    "edit": Phrase(
        "an edit: the recorded message was changed, which starts no turn",
        "eine Änderung: die verzeichnete Nachricht wurde geändert, das startet nichts",
        "une modification : le message enregistré a changé, cela ne lance rien",
        "una edición: el mensaje registrado cambió, lo que no inicia nada",
        "una modifica: il messaggio registrato è cambiato, il che non avvia nulla",
    ),
    "changed": Phrase(
        "an edit or deletion of a message that waited, or that became one to me by it",
        "eine Änderung oder Löschung einer Nachricht, die wartete oder dadurch an mich ging",
        "une modification ou suppression d'un message en attente, ou qui m'a ainsi été adressé",
        "una edición o borrado de un mensaje que esperaba, o que así pasó a ser para mí",
        "una modifica o cancellazione di un messaggio in attesa, o che così è diventato per me",
    ),
    "delete": Phrase(
        "a deletion: the recorded message was emptied, which starts no turn",
        "eine Löschung: die verzeichnete Nachricht wurde geleert, das startet nichts",
        "une suppression : le message enregistré a été vidé, cela ne lance rien",
        "un borrado: el mensaje registrado se vació, lo que no inicia nada",
        "una cancellazione: il messaggio registrato è stato svuotato, il che non avvia nulla",
    ),
    "joined": Phrase(
        "somebody joined, which starts no turn",
        "jemand kam dazu, das startet nichts",
        "quelqu'un est arrivé, cela ne lance rien",
        "alguien entró, lo que no inicia nada",
        "qualcuno è entrato, il che non avvia nulla",
    ),
}
WITHDRAWN = Phrase(
    "deleted before I had begun, so I left it alone",
    "gelöscht, bevor ich anfing, also habe ich es gelassen",
    "supprimé avant que je commence, je l'ai donc laissé",
    "borrado antes de que empezara, así que lo dejé",
    "cancellato prima che cominciassi, quindi l'ho lasciato",
)
JOINED_TO = Phrase(
    "joined to {ref}, which was already running",
    "zu {ref} genommen, das schon lief",
    "joint à {ref}, qui tournait déjà",
    "unido a {ref}, que ya estaba en marcha",
    "unito a {ref}, che era già in corso",
)
WAITS_FOR_ANSWER = Phrase(
    "waits for a person's answer",
    "wartet auf die Antwort einer Person",
    "attend la réponse d'une personne",
    "espera la respuesta de una persona",
    "aspetta la risposta di una persona",
)
RUNNING = Phrase(
    "running right now", "läuft gerade", "en cours", "en marcha ahora", "in corso adesso"
)
WAITS_BEHIND = Phrase(
    "waits behind {ref} of the same session",
    "wartet hinter {ref} derselben Sitzung",
    "attend derrière {ref} de la même session",
    "espera detrás de {ref} de la misma sesión",
    "aspetta dietro {ref} della stessa sessione",
)
GOES_ON = Phrase("goes on {at}", "geht weiter {at}", "continue {at}", "sigue {at}", "prosegue {at}")
WAITS_FOR_TURN = Phrase(
    "waits for its turn",
    "wartet, bis es dran ist",
    "attend son tour",
    "espera su turno",
    "aspetta il suo turno",
)
GIVEN_UP = Phrase(
    "given up after {count} attempts, {at}",
    "aufgegeben nach {count} Versuchen, {at}",
    "abandonné après {count} tentatives, {at}",
    "abandonado tras {count} intentos, {at}",
    "abbandonato dopo {count} tentativi, {at}",
)
DONE = Phrase("done", "erledigt", "fait", "hecho", "fatto")
NEVER_FINISHED = Phrase(
    "it was never finished",
    "es wurde nie fertig",
    "cela n'a jamais été terminé",
    "nunca se terminó",
    "non è mai stato finito",
)
ENDINGS: Mapping[str, Phrase] = {
    "partial": Phrase(
        "answered in part",
        "zum Teil beantwortet",
        "répondu en partie",
        "respondido en parte",
        "risposto in parte",
    ),
    "unresolved": Phrase(
        "answered, without a result",
        "beantwortet, ohne Ergebnis",
        "répondu, sans résultat",
        "respondido, sin resultado",
        "risposto, senza risultato",
    ),
    "silent": Phrase(
        "nothing to say, so nothing was posted",
        "nichts zu sagen, also nichts geschrieben",
        "rien à dire, donc rien n'a été publié",
        "nada que decir, así que no se publicó nada",
        "nulla da dire, quindi non è stato pubblicato nulla",
    ),
}
ANSWER_GIVEN = Phrase("answered", "beantwortet", "répondu", "respondido", "risposto")
WAS_STOPPED = Phrase("stopped", "angehalten", "arrêté", "detenido", "fermato")
NO_ANSWER = Phrase(
    "no answer ({status})",
    "keine Antwort ({status})",
    "pas de réponse ({status})",
    "sin respuesta ({status})",
    "nessuna risposta ({status})",
)
NO_ANSWER_WHY = Phrase(
    "no answer: {why}",
    "keine Antwort: {why}",
    "pas de réponse : {why}",
    "sin respuesta: {why}",
    "nessuna risposta: {why}",
)
AT_TIME = Phrase("at {time}", "um {time}", "à {time}", "a las {time}", "alle {time}")
ON_DAY = Phrase(
    "on {day} at {time}",
    "am {day} um {time}",
    "le {day} à {time}",
    "el {day} a las {time}",
    "il {day} alle {time}",
)
