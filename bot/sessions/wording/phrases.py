"""Short answers of commands in the language of a person's app."""

from bot.domain.languages import CountedPhrase, Phrase

ABOUT_ME = Phrase(
    "Write to me in plain words: I keep todos and notes, remember what you tell me, look things up"
    " in your files, and ask back when something is unclear.",
    "Schreib mir einfach: ich führe Aufgaben und Notizen, merke mir, was du mir sagst, schlage in"
    " deinen Dateien nach und frage zurück, wenn etwas unklar ist.",
    "Écrivez-moi simplement : je tiens tâches et notes, je retiens ce que vous me dites, je cherche"
    " dans vos fichiers, et je demande quand quelque chose n'est pas clair.",
    "Escríbeme con tus palabras: llevo tareas y notas, recuerdo lo que me dices, busco en tus"
    " archivos, y pregunto cuando algo no está claro.",
    "Scrivimi con parole tue: tengo attività e note, ricordo quello che mi dici, cerco nei tuoi"
    " file, e chiedo quando qualcosa non è chiaro.",
)
MORE_SKILLS = Phrase(
    "and {count} more: `/skill list`",
    "und {count} weitere: `/skill list`",
    "et {count} autres : `/skill list`",
    "y {count} más: `/skill list`",
    "e altre {count}: `/skill list`",
)
UNKNOWN = Phrase(
    "I don't know /{name}. /help lists the commands.",
    "/{name} kenne ich nicht. /help listet die Befehle auf.",
    "Je ne connais pas /{name}. /help liste les commandes.",
    "No conozco /{name}. /help muestra los comandos.",
    "Non conosco /{name}. /help elenca i comandi.",
)
UNKNOWN_NEAR = Phrase(
    "I don't know /{name}. Did you mean /{near}? /help lists the commands.",
    "/{name} kenne ich nicht. Meintest du /{near}? /help listet die Befehle auf.",
    "Je ne connais pas /{name}. Vouliez-vous dire /{near} ? /help liste les commandes.",
    "No conozco /{name}. ¿Querías decir /{near}? /help muestra los comandos.",
    "Non conosco /{name}. Volevi dire /{near}? /help elenca i comandi.",
)
SEND_FILES_HERE = Phrase(
    "Send the files here, with a message.",
    "Schick die Dateien hier mit einer Nachricht.",
    "Envoyez les fichiers ici, avec un message.",
    "Envía los archivos aquí, con un mensaje.",
    "Invia i file qui, con un messaggio.",
)
ATTACH_OR_SEND = Phrase(
    "Attach the files with the button, or send them here with a message.",
    "Häng die Dateien mit dem Knopf an oder schick sie hier mit einer Nachricht.",
    "Joignez les fichiers par le bouton, ou envoyez-les ici avec un message.",
    "Adjunta los archivos con el botón o envíalos aquí con un mensaje.",
    "Allega i file con il pulsante o inviali qui con un messaggio.",
)
QUESTION_OVER = Phrase(
    "That question is not open any more.",
    "Diese Frage ist nicht mehr offen.",
    "Cette question n'est plus ouverte.",
    "Esa pregunta ya no está abierta.",
    "Quella domanda non è più aperta.",
)
QUESTION_EXPIRED = Phrase(
    "That question has expired.",
    "Diese Frage ist abgelaufen.",
    "Cette question a expiré.",
    "Esa pregunta ha caducado.",
    "Quella domanda è scaduta.",
)
QUESTION_OF_ANOTHER = Phrase(
    "That question is for somebody else.",
    "Diese Frage ist für jemand anderen.",
    "Cette question est pour quelqu'un d'autre.",
    "Esa pregunta es para otra persona.",
    "Quella domanda è per un'altra persona.",
)
STARTED_AFRESH = Phrase(
    "Started afresh.",
    "Neu angefangen.",
    "C'est reparti de zéro.",
    "Empezamos de nuevo.",
    "Ricominciato da capo.",
)
ALREADY_FRESH = Phrase(
    "This is a fresh start already.",
    "Hier ist schon alles neu.",
    "C'est déjà un nouveau départ.",
    "Esto ya es un comienzo nuevo.",
    "Qui si ricomincia già da capo.",
)
STOPPING = Phrase("Stopping.", "Ich halte an.", "J'arrête.", "Paro.", "Mi fermo.")
NOTHING_RUNS = Phrase(
    "Nothing is running or waiting here.",
    "Hier läuft oder wartet nichts.",
    "Rien ne tourne ni n'attend ici.",
    "Aquí no hay nada en marcha ni en espera.",
    "Qui non c'è nulla in corso o in attesa.",
)
NO_TODOS = Phrase(
    "You have no open todos.",
    "Du hast keine offenen Aufgaben.",
    "Vous n'avez aucune tâche ouverte.",
    "No tienes tareas abiertas.",
    "Non hai attività aperte.",
)
NOT_YOUR_TODO = Phrase(
    "That is not one of your todos. `/todo` lists yours.",
    "Das ist keine deiner Aufgaben. `/todo` listet deine auf.",
    "Ce n'est pas une de vos tâches. `/todo` liste les vôtres.",
    "Esa no es una de tus tareas. `/todo` muestra las tuyas.",
    "Non è una delle tue attività. `/todo` elenca le tue.",
)
ASK_WHAT = Phrase(
    "Say what you want to know: `/ask QUESTION`.",
    "Sag, was du wissen willst: `/ask FRAGE`.",
    "Dites ce que vous voulez savoir : `/ask QUESTION`.",
    "Di qué quieres saber: `/ask PREGUNTA`.",
    "Di' che cosa vuoi sapere: `/ask DOMANDA`.",
)
CATCH_ME_UP = Phrase(
    "Catch me up: what happened here since I was last here?",
    "Bring mich auf den Stand: was ist hier passiert, seit ich zuletzt da war?",
    "Mettez-moi au courant : que s'est-il passé ici depuis ma dernière venue ?",
    "Ponme al día: ¿qué ha pasado aquí desde mi última visita?",
    "Aggiornami: che cosa è successo qui dalla mia ultima visita?",
)
FOLLOWING = Phrase(
    "I follow this thread: write here without a mention. `/leave` sends me away.",
    "Ich folge diesem Thread: schreibt hier ohne Erwähnung. `/leave` schickt mich weg.",
    "Je suis ce fil : écrivez ici sans mention. `/leave` me renvoie.",
    "Sigo este hilo: escribid aquí sin mencionarme. `/leave` me despide.",
    "Seguo questa discussione: scrivete qui senza menzione. `/leave` mi manda via.",
)
LEFT = Phrase(
    "I leave you to it: in this thread I answer only who mentions me. `/follow` brings me back.",
    "Ich halte mich raus: hier antworte ich nur auf Erwähnung. `/follow` holt mich zurück.",
    "Je vous laisse : dans ce fil, je ne réponds qu'à qui me mentionne. `/follow` me fait revenir.",
    "Os dejo: en este hilo solo respondo a quien me menciona. `/follow` me trae de vuelta.",
    "Vi lascio: in questa discussione rispondo solo a chi mi menziona. `/follow` mi fa tornare.",
)
NO_THREAD = Phrase(
    "That works in a thread alone. In a channel I answer who mentions me.",
    "Das geht nur in einem Thread. In einem Kanal antworte ich, wenn man mich erwähnt.",
    "Cela ne marche que dans un fil. Dans un canal, je réponds à qui me mentionne.",
    "Eso solo funciona en un hilo. En un canal respondo a quien me menciona.",
    "Funziona solo in una discussione. In un canale rispondo a chi mi menziona.",
)
MEMBERS_ALONE = Phrase(
    "Only members can have me follow a thread. Mention me, and I answer.",
    "Nur Mitglieder können mich einem Thread folgen lassen. Erwähne mich, und ich antworte.",
    "Seuls les membres peuvent me faire suivre un fil. Mentionnez-moi, et je réponds.",
    "Solo los miembros pueden hacer que siga un hilo. Mencióname y respondo.",
    "Solo i membri possono farmi seguire una discussione. Menzionami e rispondo.",
)
ANSWER_FILE = Phrase("answer.md", "antwort.md", "reponse.md", "respuesta.md", "risposta.md")
REST_IN_FILE = Phrase(
    "The whole answer, {count} characters, is in the file.",
    "Die ganze Antwort, {count} Zeichen, steht in der Datei.",
    "La réponse entière, {count} caractères, est dans le fichier.",
    "La respuesta entera, {count} caracteres, está en el archivo.",
    "La risposta intera, {count} caratteri, è nel file.",
)
ANSWERS_SHORT = Phrase(
    "You get the beginning of long answers, and the whole as a file. `/answers whole` changes it.",
    "Von langen Antworten bekommst du den Anfang, und das Ganze als Datei. `/answers whole` ändert"
    " das.",
    "Vous recevez le début des longues réponses, et le tout en fichier. `/answers whole` change"
    " cela.",
    "Recibes el principio de las respuestas largas, y el resto en un archivo. `/answers whole` lo"
    " cambia.",
    "Ricevi l'inizio delle risposte lunghe, e il tutto in un file. `/answers whole` lo cambia.",
)
REST_IN_THREAD = Phrase(
    "The rest is in the thread.",
    "Der Rest steht im Thread.",
    "La suite est dans le fil.",
    "El resto está en el hilo.",
    "Il resto è nella discussione.",
)
ANSWERS_THREAD = Phrase(
    "Where an answer opens a thread, a long one begins in the channel, and the rest is in the"
    " thread. `/answers whole` changes it.",
    "Wo eine Antwort einen Thread öffnet, beginnt eine lange im Kanal, und der Rest steht im"
    " Thread. `/answers whole` ändert das.",
    "Là où une réponse ouvre un fil, une longue commence dans le canal, et la suite est dans le"
    " fil. `/answers whole` change cela.",
    "Donde una respuesta abre un hilo, una larga empieza en el canal, y el resto está en el hilo."
    " `/answers whole` lo cambia.",
    "Dove una risposta apre una discussione, una lunga comincia nel canale, e il resto è nella"
    " discussione. `/answers whole` lo cambia.",
)
ANSWERS_WHOLE = Phrase(
    "You get answers whole. `/answers short` shows the beginning of long ones, and the rest as a"
    " file; `/answers thread` the rest in the thread.",
    "Du bekommst Antworten ganz. `/answers short` zeigt von langen den Anfang, den Rest als Datei;"
    " `/answers thread` den Rest im Thread.",
    "Vous recevez les réponses entières. `/answers short` montre le début des longues, le reste en"
    " fichier ; `/answers thread` le reste dans le fil.",
    "Recibes las respuestas enteras. `/answers short` muestra el principio de las largas, y el"
    " resto en un archivo; `/answers thread` el resto en el hilo.",
    "Ricevi le risposte intere. `/answers short` mostra l'inizio di quelle lunghe, il resto in un"
    " file; `/answers thread` il resto nella discussione.",
)
ANSWER_FIRST = Phrase(
    "I am waiting for your answer; answer first, or /stop, and then ask again.",
    "Ich warte auf deine Antwort; antworte zuerst, oder /stop, und frag dann noch einmal.",
    "J'attends votre réponse ; répondez d'abord, ou /stop, puis demandez à nouveau.",
    "Espero tu respuesta; responde primero, o /stop, y luego pregunta otra vez.",
    "Aspetto la tua risposta; rispondi prima, o /stop, e poi chiedi di nuovo.",
)
YOUR_ROLE = Phrase(
    "Your role here is {role}; `/rights` says what it allows.",
    "Deine Rolle hier ist {role}; `/rights` sagt, was sie erlaubt.",
    "Votre rôle ici est {role} ; `/rights` dit ce qu'il permet.",
    "Tu rol aquí es {role}; `/rights` dice qué permite.",
    "Il tuo ruolo qui è {role}; `/rights` dice che cosa permette.",
)
MODE_MENTION = Phrase(
    "In this channel I answer who mentions me or replies to me, and the threads that I am in.",
    "In diesem Kanal antworte ich, wenn man mich erwähnt oder mir antwortet, und in Threads, in"
    " denen ich bin.",
    "Dans ce canal, je réponds à qui me mentionne ou me répond, et dans les fils où je suis.",
    "En este canal respondo a quien me menciona o me responde, y en los hilos en los que estoy.",
    "In questo canale rispondo a chi mi menziona o mi risponde, e nelle discussioni in cui sono.",
)
MODE_FREE = Phrase(
    "In this channel I answer everybody who doesn't speak to somebody else.",
    "In diesem Kanal antworte ich allen, die nicht mit jemand anderem sprechen.",
    "Dans ce canal, je réponds à tous ceux qui ne parlent pas à quelqu'un d'autre.",
    "En este canal respondo a todos los que no hablan con otra persona.",
    "In questo canale rispondo a tutti quelli che non parlano con qualcun altro.",
)
MODE_QUIET = Phrase(
    "In this channel I only listen. Commands still work.",
    "In diesem Kanal höre ich nur zu. Befehle gehen weiter.",
    "Dans ce canal, j'écoute seulement. Les commandes marchent toujours.",
    "En este canal solo escucho. Los comandos siguen funcionando.",
    "In questo canale ascolto soltanto. I comandi funzionano ancora.",
)
MODE_HOW = Phrase(
    "A Partner changes it: `/mode mention`, `free`, `quiet`, or `default` for the setting.",
    "Ein Partner ändert es: `/mode mention`, `free`, `quiet`, oder `default` für die Einstellung.",
    "Un Partner le change : `/mode mention`, `free`, `quiet`, ou `default` pour le réglage.",
    "Un Partner lo cambia: `/mode mention`, `free`, `quiet`, o `default` para el ajuste.",
    "Lo cambia un Partner: `/mode mention`, `free`, `quiet`, o `default` per l'impostazione.",
)
MODE_KEPT = Phrase(
    "The operator's rules keep this as it is.",
    "Die Regeln des Betreibers halten das fest.",
    "Les règles de l'exploitant fixent cela.",
    "Las reglas del operador fijan esto.",
    "Le regole del gestore fissano questo.",
)
MODE_NOT_HERE = Phrase(
    "Here I answer everything. `/mode` is for channels.",
    "Hier antworte ich auf alles. `/mode` ist für Kanäle.",
    "Ici, je réponds à tout. `/mode` sert dans les canaux.",
    "Aquí respondo a todo. `/mode` es para canales.",
    "Qui rispondo a tutto. `/mode` serve nei canali.",
)
PARTNER_DECIDES = Phrase(
    "A Partner or MasterAdmin decides that.",
    "Das entscheidet ein Partner oder MasterAdmin.",
    "Un Partner ou MasterAdmin en décide.",
    "Eso lo decide un Partner o MasterAdmin.",
    "Lo decide un Partner o MasterAdmin.",
)
ANSWERED_ALONE = Phrase(
    "I answer {name} privately.",
    "Ich antworte {name} privat.",
    "Je réponds à {name} en privé.",
    "Respondo a {name} en privado.",
    "Rispondo a {name} in privato.",
)
NOT_REACHED_ALONE = Phrase(
    "{name}, I can't reach you privately. Allow direct messages from here, and ask again.",
    "{name}, ich erreiche dich nicht privat. Erlaube Direktnachrichten von hier, und frag noch"
    " einmal.",
    "{name}, je ne peux pas vous écrire en privé. Autorisez les messages privés d'ici, et demandez"
    " à nouveau.",
    "{name}, no puedo escribirte en privado. Permite mensajes directos de aquí, y pregunta otra"
    " vez.",
    "{name}, non posso scriverti in privato. Permetti messaggi diretti da qui, e chiedi di nuovo.",
)
NO_PLAN = Phrase(
    "No plan of yours runs here.",
    "Hier läuft kein Plan von dir.",
    "Aucun plan à vous n'est en cours ici.",
    "Aquí no hay ningún plan tuyo en marcha.",
    "Qui non c'è nessun tuo piano in corso.",
)
PLAN_OVER = Phrase(
    "The plan ended before I could change it.",
    "Der Plan war zu Ende, bevor ich ihn ändern konnte.",
    "Le plan s'est terminé avant que je puisse le changer.",
    "El plan terminó antes de que pudiera cambiarlo.",
    "Il piano è finito prima che potessi cambiarlo.",
)
NO_TASK = Phrase(
    "There is no task {task} in the plan. /plan shows it.",
    "Im Plan gibt es keine Aufgabe {task}. /plan zeigt ihn.",
    "Il n'y a pas de tâche {task} dans le plan. /plan le montre.",
    "No hay ninguna tarea {task} en el plan. /plan lo muestra.",
    "Nel piano non c'è un compito {task}. /plan lo mostra.",
)
TASK_STRUCK = Phrase(
    "Struck: {task}. Tasks that needed it go on without its result.",
    "Gestrichen: {task}. Aufgaben, die sie brauchten, gehen ohne ihr Ergebnis weiter.",
    "Retirée : {task}. Les tâches qui en dépendaient continuent sans son résultat.",
    "Retirada: {task}. Las tareas que la necesitaban siguen sin su resultado.",
    "Tolto: {task}. I compiti che ne avevano bisogno vanno avanti senza il suo risultato.",
)
TASK_ADDED = Phrase(
    "Added: {task}", "Ergänzt: {task}", "Ajoutée : {task}", "Añadida: {task}", "Aggiunto: {task}"
)
QUEEN_ADDS = Phrase(
    "Only the queen of this plan adds tasks. /plan strike NUMBER takes one out.",
    "Nur die Königin dieses Plans ergänzt Aufgaben. /plan strike NUMMER streicht eine.",
    "Seule la reine de ce plan ajoute des tâches. /plan strike NUMÉRO en retire une.",
    "Solo la reina de este plan añade tareas. /plan strike NÚMERO quita una.",
    "Solo la regina di questo piano aggiunge compiti. /plan strike NUMERO ne toglie uno.",
)
PLAN_FULL = Phrase(
    "The plan is full: it has {most} tasks.",
    "Der Plan ist voll: er hat {most} Aufgaben.",
    "Le plan est plein : il a {most} tâches.",
    "El plan está lleno: tiene {most} tareas.",
    "Il piano è pieno: ha {most} compiti.",
)
TASK_LONG = Phrase(
    "A task has at most {most} characters, and this has {count}.",
    "Eine Aufgabe hat höchstens {most} Zeichen, und diese hat {count}.",
    "Une tâche a au plus {most} caractères, et celle-ci en a {count}.",
    "Una tarea tiene como mucho {most} caracteres, y esta tiene {count}.",
    "Un compito ha al massimo {most} caratteri, e questo ne ha {count}.",
)
CALLS = CountedPhrase(
    Phrase(
        "{count} call",
        "{count} Aufruf",
        "{count} appel",
        "{count} llamada",
        "{count} chiamata",
    ),
    Phrase(
        "{count} calls",
        "{count} Aufrufe",
        "{count} appels",
        "{count} llamadas",
        "{count} chiamate",
    ),
)
"""What waits for a yes together."""
ASKED_ELSEWHERE = Phrase(
    "asked elsewhere",
    "anderswo gefragt",
    "demandé ailleurs",
    "pedido en otro lugar",
    "chiesto altrove",
)
