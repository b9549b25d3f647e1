"""What `/home`, `/usage`, `/rate`, `/files`, `/export` and App Home say."""

from bot.domain.languages import CountedPhrase, Phrase

NOTHING = Phrase(
    "nothing",
    "nichts",
    "rien",
    "nada",
    "nulla",
)
TODAY = Phrase(
    "Today",
    "Heute",
    "Aujourd'hui",
    "Hoy",
    "Oggi",
)
LAST_DAYS = Phrase(
    "Last 30 days",
    "Letzte 30 Tage",
    "30 derniers jours",
    "Últimos 30 días",
    "Ultimi 30 giorni",
)
TOKENS = CountedPhrase(
    Phrase(
        "{count} token",
        "{count} Token",
        "{count} jeton",
        "{count} token",
        "{count} token",
    ),
    Phrase(
        "{count} tokens",
        "{count} Tokens",
        "{count} jetons",
        "{count} tokens",
        "{count} token",
    ),
)
HANDED = Phrase(
    "{own}. Of that by agents that were called: {handed}",
    "{own}. Davon durch gerufene Agenten: {handed}",
    "{own}. Dont par des agents appelés : {handed}",
    "{own}. De eso, por agentes llamados: {handed}",
    "{own}. Di cui da agenti chiamati: {handed}",
)
RATE_HOW = Phrase(
    "Say `/rate {usage}`; without a reference it is your last answer here.",
    "Sag `/rate {usage}`; ohne Referenz gilt es deiner letzten Antwort hier.",
    "Dites `/rate {usage}` ; sans référence, c'est votre dernière réponse ici.",
    "Di `/rate {usage}`; sin referencia, es tu última respuesta aquí.",
    "Di' `/rate {usage}`; senza riferimento vale per la tua ultima risposta qui.",
)
NOT_RATED = Phrase(
    "I remember no such answer to you, so there is nothing to rate.",
    "An so eine Antwort an dich erinnere ich mich nicht, also gibt es nichts zu bewerten.",
    "Je ne me souviens pas d'une telle réponse, donc il n'y a rien à noter.",
    "No recuerdo ninguna respuesta así para ti, así que no hay nada que valorar.",
    "Non ricordo una risposta così per te, quindi non c'è nulla da valutare.",
)
HELPED = Phrase(
    "Thank you. I noted that it helped.",
    "Danke. Ich habe mir gemerkt, dass es geholfen hat.",
    "Merci. J'ai noté que cela a aidé.",
    "Gracias. He anotado que ayudó.",
    "Grazie. Ho segnato che è servita.",
)
NOT_HELPED = Phrase(
    "Noted: it did not help. I won't choose tools by it. `/why {ref}` shows how it came about."
    " Tell me what was wrong, and I try again.",
    "Gemerkt: es hat nicht geholfen. Ich wähle danach keine Werkzeuge. `/why {ref}` zeigt, wie es"
    " dazu kam. Sag mir, was falsch war, und ich versuche es noch einmal.",
    "C'est noté : cela n'a pas aidé. Je ne choisirai pas d'outils d'après elle. `/why {ref}`"
    " montre comment c'est venu. Dites-moi ce qui n'allait pas, et je réessaie.",
    "Anotado: no ayudó. No elegiré herramientas por ella. `/why {ref}` muestra cómo salió. Dime"
    " qué estaba mal y lo intento otra vez.",
    "Segnato: non è servita. Non sceglierò strumenti in base a questa. `/why {ref}` mostra com'è"
    " andata. Dimmi che cosa non andava e riprovo.",
)
HOW_CAME_ABOUT = Phrase(
    "How did it come about?",
    "Wie kam es dazu?",
    "Comment est-ce venu ?",
    "¿Cómo salió así?",
    "Com'è andata?",
)
CANT_LOOK = Phrase(
    "I can't look there: {error}.",
    "Da kann ich nicht nachsehen: {error}.",
    "Je ne peux pas y regarder : {error}.",
    "No puedo mirar ahí: {error}.",
    "Non posso guardare lì: {error}.",
)
FILES_BELOW = Phrase(
    "Your files are below {root}; `/files` lists them. Others: {others}.",
    "Deine Dateien liegen unter {root}; `/files` listet sie auf. Andere: {others}.",
    "Vos fichiers sont sous {root} ; `/files` les liste. Autres : {others}.",
    "Tus archivos están en {root}; `/files` los muestra. Otros: {others}.",
    "I tuoi file sono sotto {root}; `/files` li elenca. Altri: {others}.",
)
NO_FILE = Phrase(
    "You have no file {path}. `/files` lists yours.",
    "Du hast keine Datei {path}. `/files` listet deine auf.",
    "Vous n'avez pas de fichier {path}. `/files` liste les vôtres.",
    "No tienes ningún archivo {path}. `/files` muestra los tuyos.",
    "Non hai nessun file {path}. `/files` elenca i tuoi.",
)
FILE_PRIVATE = Phrase(
    "That file is private; ask me in a DM.",
    "Diese Datei ist privat; frag mich in einer Direktnachricht.",
    "Ce fichier est privé ; demandez-moi en message privé.",
    "Ese archivo es privado; pregúntame en un mensaje directo.",
    "Quel file è privato; chiedimelo in un messaggio diretto.",
)
FILE_EMPTY = Phrase(
    "{path} is empty.",
    "{path} ist leer.",
    "{path} est vide.",
    "{path} está vacío.",
    "{path} è vuoto.",
)
HERE_IS = Phrase(
    "Here is `{path}`.",
    "Hier ist `{path}`.",
    "Voici `{path}`.",
    "Aquí está `{path}`.",
    "Ecco `{path}`.",
)
CHARACTERS = CountedPhrase(
    Phrase(
        "{count} character",
        "{count} Zeichen",
        "{count} caractère",
        "{count} carácter",
        "{count} carattere",
    ),
    Phrase(
        "{count} characters",
        "{count} Zeichen",
        "{count} caractères",
        "{count} caracteres",
        "{count} caratteri",
    ),
)
MORE_FILES = CountedPhrase(
    Phrase(
        "{count} more is not shown; `/files FOLDER` lists one folder.",
        "{count} weitere fehlt hier; `/files ORDNER` listet einen Ordner auf.",
        "{count} autre n'est pas montré ; `/files DOSSIER` liste un dossier.",
        "{count} más no se muestra; `/files CARPETA` muestra una carpeta.",
        "Un altro non è mostrato; `/files CARTELLA` elenca una cartella.",
    ),
    Phrase(
        "{count} more are not shown; `/files FOLDER` lists one folder.",
        "{count} weitere fehlen hier; `/files ORDNER` listet einen Ordner auf.",
        "{count} autres ne sont pas montrés ; `/files DOSSIER` liste un dossier.",
        "{count} más no se muestran; `/files CARPETA` muestra una carpeta.",
        "Altri {count} non sono mostrati; `/files CARTELLA` elenca una cartella.",
    ),
)
FILES_SEND = Phrase(
    "`/files PATH` sends one.",
    "`/files PFAD` schickt eine.",
    "`/files CHEMIN` en envoie un.",
    "`/files RUTA` envía uno.",
    "`/files PERCORSO` ne manda uno.",
)
NO_FILES = Phrase(
    "You have no files yet.",
    "Du hast noch keine Dateien.",
    "Vous n'avez pas encore de fichiers.",
    "Aún no tienes archivos.",
    "Non hai ancora file.",
)
EXPORT_DIRECTLY = Phrase(
    "Ask me in a direct message: I send it there alone.",
    "Frag mich in einer Direktnachricht: nur dort schicke ich es.",
    "Demandez-moi en message privé : je ne l'envoie que là.",
    "Pregúntame en un mensaje directo: solo lo envío ahí.",
    "Chiedimelo in un messaggio diretto: lo mando solo lì.",
)
EXPORT_LARGE = Phrase(
    "It is too large to send here. Whoever runs me gets it for you with `bellhop export --person"
    " {id}`.",
    "Es ist zu groß, um es hier zu schicken. Wer mich betreibt, holt es dir mit `bellhop export"
    " --person {id}`.",
    "C'est trop gros pour être envoyé ici. La personne qui me gère peut l'obtenir avec `bellhop"
    " export --person {id}`.",
    "Es demasiado grande para enviarlo aquí. Quien me gestiona te lo consigue con `bellhop export"
    " --person {id}`.",
    "È troppo grande per mandarlo qui. Chi mi gestisce può averlo con `bellhop export --person"
    " {id}`.",
)
EXPORTED = Phrase(
    "What I keep of you; README.txt in it says what is where.",
    "Was ich von dir aufbewahre; README.txt darin sagt, was wo ist.",
    "Ce que je garde de vous ; README.txt, à l'intérieur, dit où est quoi.",
    "Lo que guardo de ti; README.txt, dentro, dice dónde está cada cosa.",
    "Quello che conservo di te; README.txt, all'interno, dice dov'è ogni cosa.",
)
WAITING = Phrase(
    "Waiting for your yes",
    "Wartet auf dein Ja",
    "En attente de votre oui",
    "Esperan tu sí",
    "In attesa del tuo sì",
)
NOTHING_WAITS = Phrase(
    "Nothing waits for you.",
    "Nichts wartet auf dich.",
    "Rien ne vous attend.",
    "Nada te espera.",
    "Nulla ti aspetta.",
)
SHOW = Phrase(
    "Show",
    "Zeigen",
    "Montrer",
    "Mostrar",
    "Mostra",
)
TODOS = Phrase(
    "Todos",
    "Aufgaben",
    "Tâches",
    "Tareas",
    "Attività",
)
NOTHING_OPEN = Phrase(
    "Nothing is open.",
    "Nichts ist offen.",
    "Rien n'est ouvert.",
    "No hay nada abierto.",
    "Non c'è nulla di aperto.",
)
DONE = Phrase(
    "Done",
    "Erledigt",
    "Fait",
    "Hecho",
    "Fatto",
)
TOMORROW = Phrase(
    "Tomorrow",
    "Morgen",
    "Demain",
    "Mañana",
    "Domani",
)
SCHEDULES = Phrase(
    "Schedules",
    "Zeitpläne",
    "Planifications",
    "Programaciones",
    "Pianificazioni",
)
GO_ON = Phrase(
    "Go on",
    "Weiter",
    "Reprendre",
    "Continuar",
    "Riprendi",
)
PAUSE = Phrase(
    "Pause",
    "Anhalten",
    "Suspendre",
    "Pausar",
    "Sospendi",
)
RUN_NOW = Phrase(
    "Run now",
    "Jetzt ausführen",
    "Lancer maintenant",
    "Ejecutar ahora",
    "Esegui ora",
)
CONNECTIONS = Phrase(
    "Connections",
    "Verbindungen",
    "Connexions",
    "Conexiones",
    "Collegamenti",
)
CONNECTED = Phrase(
    "{service}: connected",
    "{service}: verbunden",
    "{service} : connecté",
    "{service}: conectado",
    "{service}: collegato",
)
BY_WORKSPACE = Phrase(
    "{service}: by the workspace's account",
    "{service}: über das Konto des Arbeitsbereichs",
    "{service} : par le compte de l'espace de travail",
    "{service}: con la cuenta del espacio de trabajo",
    "{service}: con l'account dell'area di lavoro",
)
DISCONNECT = Phrase(
    "Disconnect",
    "Trennen",
    "Déconnecter",
    "Desconectar",
    "Scollega",
)
CONNECT = Phrase(
    "Connect",
    "Verbinden",
    "Connecter",
    "Conectar",
    "Collega",
)
NOTHING_CONNECTABLE = Phrase(
    "Nothing can be connected here.",
    "Hier lässt sich nichts verbinden.",
    "Rien ne peut être connecté ici.",
    "Aquí no se puede conectar nada.",
    "Qui non si può collegare nulla.",
)
LEARNS_NOT = Phrase(
    "I learn nothing from you.",
    "Ich lerne nichts von dir.",
    "Je n'apprends rien de vous.",
    "No aprendo nada de ti.",
    "Non imparo nulla da te.",
)
LEARN_AGAIN = Phrase(
    "Learn again",
    "Wieder lernen",
    "Apprendre à nouveau",
    "Aprender otra vez",
    "Impara di nuovo",
)
LEARNS = Phrase(
    "I learn from what you tell me.",
    "Ich lerne aus dem, was du mir sagst.",
    "J'apprends de ce que vous me dites.",
    "Aprendo de lo que me cuentas.",
    "Imparo da quello che mi dici.",
)
STOP_LEARNING = Phrase(
    "Stop learning",
    "Nicht mehr lernen",
    "Ne plus apprendre",
    "Dejar de aprender",
    "Smetti di imparare",
)
MEMORY = Phrase(
    "Memory",
    "Gedächtnis",
    "Mémoire",
    "Memoria",
    "Memoria",
)
MEMORY_HOW = Phrase(
    "/memory shows what I know of you, and forgets it.",
    "/memory zeigt, was ich von dir weiß, und vergisst es.",
    "/memory montre ce que je sais de vous, et l'oublie.",
    "/memory muestra lo que sé de ti, y lo olvida.",
    "/memory mostra che cosa so di te, e lo dimentica.",
)
USED = Phrase(
    "What your requests used",
    "Was deine Anfragen verbraucht haben",
    "Ce que vos demandes ont consommé",
    "Lo que consumieron tus peticiones",
    "Quanto hanno consumato le tue richieste",
)
AND_MORE = Phrase(
    "And {count} more.",
    "Und {count} weitere.",
    "Et {count} de plus.",
    "Y {count} más.",
    "E altri {count}.",
)
CAN_DO = Phrase(
    "What can you do?",
    "Was kannst du?",
    "Que savez-vous faire ?",
    "¿Qué sabes hacer?",
    "Che cosa sai fare?",
)
ASKS_CAN_DO = Phrase(
    "What can you do for me?",
    "Was kannst du für mich tun?",
    "Que pouvez-vous faire pour moi ?",
    "¿Qué puedes hacer por mí?",
    "Che cosa puoi fare per me?",
)
MY_TODOS = Phrase(
    "My todos",
    "Meine Aufgaben",
    "Mes tâches",
    "Mis tareas",
    "Le mie attività",
)
ASKS_TODOS = Phrase(
    "What is on my todo list?",
    "Was steht auf meiner Aufgabenliste?",
    "Qu'y a-t-il sur ma liste de tâches ?",
    "¿Qué hay en mi lista de tareas?",
    "Che cosa c'è nella mia lista di attività?",
)
A_NOTE = Phrase(
    "Take a note",
    "Notiz machen",
    "Prendre une note",
    "Tomar una nota",
    "Prendi una nota",
)
ASKS_NOTE = Phrase(
    "Take a note: ",
    "Mach eine Notiz: ",
    "Prends une note : ",
    "Toma una nota: ",
    "Prendi una nota: ",
)
WHAT_WAITS = Phrase(
    "What waits for my yes?",
    "Was wartet auf mein Ja?",
    "Qu'est-ce qui attend mon oui ?",
    "¿Qué espera mi sí?",
    "Che cosa aspetta il mio sì?",
)
WHAT_IS_OPEN = Phrase(
    "What is open?",
    "Was ist offen?",
    "Qu'est-ce qui est ouvert ?",
    "¿Qué está abierto?",
    "Che cosa è aperto?",
)
WHAT_RUNS = Phrase(
    "What runs for me?",
    "Was läuft für mich?",
    "Qu'est-ce qui tourne pour moi ?",
    "¿Qué está en marcha para mí?",
    "Che cosa è in corso per me?",
)
READ_ME = Phrase(
    """\
What Bellhop keeps of {person}, as files.

memory.json   what it remembers about you, from the files of memory
files/        your files: documents, preferences, skills of your own
*.json        one file for each kind of thing: todos, notes, messages, schedules, settings ...

Left out: access to your accounts elsewhere (it can't be read); what other people wrote in the same
places; the record of the work that requests made (it ends after a while); documents on
the platforms themselves.
""",
    """\
Was Bellhop von {person} aufhebt, als Dateien.

memory.json   was es über dich weiß, aus den Dateien des Gedächtnisses
files/        deine Dateien: Dokumente, Vorlieben, eigene Skills
*.json        eine Datei für jede Art von Dingen: Aufgaben, Notizen, Nachrichten, Zeitpläne ...

Nicht dabei: der Zugang zu deinen Konten anderswo (er ist nicht lesbar); was andere an denselben
Orten schrieben; das Protokoll der Arbeit an Anfragen (es endet nach einer Weile); Dokumente auf
den Plattformen selbst.
""",
    """\
Ce que Bellhop garde de {person}, en fichiers.

memory.json   ce dont il se souvient de vous, d'après les fichiers de la mémoire
files/        vos fichiers : documents, préférences, compétences à vous
*.json        un fichier par genre de chose : tâches, notes, messages, planifications ...

N'y sont pas : l'accès à vos comptes ailleurs (il est illisible) ; ce que d'autres ont écrit aux
mêmes endroits ; le journal du travail des demandes (il prend fin au bout d'un temps) ; les
documents sur les plateformes mêmes.
""",
    """\
Lo que Bellhop guarda de {person}, en archivos.

memory.json   lo que recuerda de ti, de los archivos de la memoria
files/        tus archivos: documentos, preferencias, habilidades propias
*.json        un archivo por cada clase de cosa: tareas, notas, mensajes, programaciones ...

No está: el acceso a tus cuentas en otros sitios (no se puede leer); lo que otros escribieron en los
mismos lugares; el registro del trabajo de las peticiones (termina al cabo de un tiempo); los
documentos en las propias plataformas.
""",
    """\
Quello che Bellhop conserva di {person}, come file.

memory.json   che cosa ricorda di te, dai file della memoria
files/        i tuoi file: documenti, preferenze, abilità tue
*.json        un file per ogni genere di cosa: attività, note, messaggi, pianificazioni ...

Non c'è: l'accesso ai tuoi account altrove (non si può leggere); che cosa altri hanno scritto negli
stessi luoghi; il registro del lavoro delle richieste (dopo un po' finisce); i documenti sulle
piattaforme stesse.
""",
)
"""The page about an archive of `/export`."""
