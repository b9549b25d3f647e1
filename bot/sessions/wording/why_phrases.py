"""The words of `/why`: how a message arrived, and what came of it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

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
