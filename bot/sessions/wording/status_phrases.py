"""What `/status`, `/new`, `/compact` and `/stop` say."""

from bot.domain.languages import CountedPhrase, Phrase

YOU = Phrase(
    "You: {name} (`{id}`), role {role}",
    "Du: {name} (`{id}`), Rolle {role}",
    "Vous : {name} (`{id}`), rôle {role}",
    "Tú: {name} (`{id}`), rol {role}",
    "Tu: {name} (`{id}`), ruolo {role}",
)
MODEL = Phrase(
    "Model: {name}",
    "Modell: {name}",
    "Modèle : {name}",
    "Modelo: {name}",
    "Modello: {name}",
)
AT_WORK = Phrase(
    "Running for you here: yes, waiting: {count}",
    "Ich arbeite hier gerade für dich, in der Warteschlange: {count}",
    "Je travaille ici pour vous, en attente : {count}",
    "Ahora trabajo aquí para ti, en espera: {count}",
    "Sto lavorando qui per te, in attesa: {count}",
)
IDLE = Phrase(
    "Running for you here: no, waiting: {count}",
    "Hier läuft gerade nichts für dich, in der Warteschlange: {count}",
    "Rien ne tourne ici pour vous, en attente : {count}",
    "Aquí no hay nada en marcha para ti, en espera: {count}",
    "Qui non c'è nulla in corso per te, in attesa: {count}",
)
SESSION = Phrase(
    "Session `{id}` since {time} UTC, {came_in} tokens in, {out} out",
    "Sitzung `{id}` seit {time} UTC, {came_in} Tokens gelesen, {out} geschrieben",
    "Session `{id}` depuis {time} UTC, {came_in} tokens lus, {out} écrits",
    "Sesión `{id}` desde las {time} UTC, {came_in} tokens leídos, {out} escritos",
    "Sessione `{id}` dalle {time} UTC, {came_in} token letti, {out} scritti",
)
WAITS_FOR_YOU = Phrase(
    "Waiting for your answer: {question}",
    "Ich warte auf deine Antwort: {question}",
    "J'attends votre réponse : {question}",
    "Espero tu respuesta: {question}",
    "Aspetto la tua risposta: {question}",
)
RUNS_IN = Phrase(
    "Running for you in {place}",
    "Läuft für dich in {place}",
    "En cours pour vous dans {place}",
    "En marcha para ti en {place}",
    "In corso per te in {place}",
)
IN_BACKGROUND = Phrase(
    "In the background: {task}",
    "Im Hintergrund: {task}",
    "En arrière-plan : {task}",
    "En segundo plano: {task}",
    "In sottofondo: {task}",
)
APPROVAL_WAITS = Phrase(
    "Approval {ref} waits: {what}",
    "Freigabe {ref} ist offen: {what}",
    "L'accord {ref} attend : {what}",
    "El permiso {ref} espera: {what}",
    "L'approvazione {ref} è in attesa: {what}",
)
MACHINE_SHORT = Phrase(
    "The machine is short of {what}: requests wait and are tried again (see the log)",
    "Der Maschine fehlt es an {what}: Anfragen warten und werden wieder versucht (siehe Log)",
    "La machine manque de {what} : les demandes attendent et sont retentées (voir le journal)",
    "A la máquina le falta {what}: las peticiones esperan y se reintentan (mira el registro)",
    "Alla macchina manca {what}: le richieste aspettano e vengono ritentate (vedi il log)",
)
MEMORY_PASS = Phrase(
    "Memory: {at} UTC, {told}",
    "Gedächtnis: {at} UTC, {told}",
    "Mémoire : {at} UTC, {told}",
    "Memoria: {at} UTC, {told}",
    "Memoria: {at} UTC, {told}",
)
OFF_HERE = Phrase(
    "Off here: {what}",
    "Hier aus: {what}",
    "Désactivé ici : {what}",
    "Desactivado aquí: {what}",
    "Disattivato qui: {what}",
)
STARTING = Phrase(
    "starting",
    "startet",
    "démarre",
    "arrancando",
    "in avvio",
)
SERVING = Phrase(
    "serving",
    "in Betrieb",
    "en service",
    "en servicio",
    "in servizio",
)
DEAF = Phrase(
    "deaf",
    "hört nichts",
    "n'entend rien",
    "no oye nada",
    "non sente nulla",
)
RESTARTING = Phrase(
    "restarting",
    "startet neu",
    "redémarre",
    "reiniciando",
    "si riavvia",
)
LAST_HEARD = Phrase(
    "last heard {seconds} s ago",
    "zuletzt gehört vor {seconds} s",
    "dernier signe il y a {seconds} s",
    "última señal hace {seconds} s",
    "ultimo segnale {seconds} s fa",
)
RESTARTED = CountedPhrase(
    Phrase(
        "restarted once",
        "einmal neu gestartet",
        "redémarré une fois",
        "reiniciado una vez",
        "riavviato una volta",
    ),
    Phrase(
        "restarted {count} times",
        "{count}-mal neu gestartet",
        "redémarré {count} fois",
        "reiniciado {count} veces",
        "riavviato {count} volte",
    ),
)
UNREADABLE = CountedPhrase(
    Phrase(
        "could not read {count} of its objects (the log says which)",
        "eines ihrer Objekte war nicht lesbar (das Log sagt, welches)",
        "un de ses objets était illisible (le journal dit lequel)",
        "no pude leer uno de sus objetos (el registro dice cuál)",
        "un suo oggetto era illeggibile (il log dice quale)",
    ),
    Phrase(
        "could not read {count} of its objects (the log says which)",
        "{count} ihrer Objekte waren nicht lesbar (das Log sagt, welche)",
        "{count} de ses objets étaient illisibles (le journal dit lesquels)",
        "no pude leer {count} de sus objetos (el registro dice cuáles)",
        "{count} suoi oggetti erano illeggibili (il log dice quali)",
    ),
)
AGENT = Phrase(
    "agent {agent} ({ref}, {state})",
    "Agent {agent} ({ref}, {state})",
    "agent {agent} ({ref}, {state})",
    "agente {agent} ({ref}, {state})",
    "agente {agent} ({ref}, {state})",
)
AGENT_WAITS = Phrase(
    "waits",
    "wartet",
    "en attente",
    "en espera",
    "in attesa",
)
AGENT_WORKS = Phrase(
    "at work",
    "arbeitet",
    "au travail",
    "trabajando",
    "al lavoro",
)
AFRESH_IN = Phrase(
    "Started afresh in {places}.",
    "Neu angefangen in {places}.",
    "C'est reparti de zéro dans {places}.",
    "Empezamos de nuevo en {places}.",
    "Ricominciato da capo in {places}.",
)
STOPPING_IN = Phrase(
    "Stopping in {places}.",
    "Ich halte an in {places}.",
    "J'arrête dans {places}.",
    "Paro en {places}.",
    "Mi fermo in {places}.",
)
COMPACT_ANSWER_FIRST = Phrase(
    "I am waiting for your answer; answer first, or /stop, then /compact.",
    "Ich warte auf deine Antwort; antworte zuerst, oder /stop, dann /compact.",
    "J'attends votre réponse ; répondez d'abord, ou /stop, puis /compact.",
    "Espero tu respuesta; responde primero, o /stop, y luego /compact.",
    "Aspetto la tua risposta; rispondi prima, o /stop, e poi /compact.",
)
COMPACT_BUSY = Phrase(
    "I am busy with your last message; try /compact again when I have answered, or /stop first.",
    "Ich bin noch bei deiner letzten Nachricht; versuch /compact nach meiner Antwort wieder, oder"
    " erst /stop.",
    "Je suis encore à votre dernier message ; réessayez /compact après ma réponse, ou faites"
    " d'abord /stop.",
    "Aún estoy con tu último mensaje; prueba /compact cuando haya respondido, o primero /stop.",
    "Sono ancora sul tuo ultimo messaggio; riprova /compact dopo la mia risposta, oppure prima"
    " /stop.",
)
THREAD_HERE = Phrase(
    "a thread here",
    "einem Thread hier",
    "un fil ici",
    "un hilo de aquí",
    "una discussione qui",
)
SHORT_OF_MEMORY = Phrase(
    "memory",
    "Speicher",
    "mémoire",
    "memoria",
    "memoria",
)
SHORT_OF_FILES = Phrase(
    "open files",
    "offenen Dateien",
    "fichiers ouverts",
    "archivos abiertos",
    "file aperti",
)
SUMMARIES = CountedPhrase(
    Phrase(
        "{count} summary",
        "{count} Zusammenfassung",
        "{count} résumé",
        "{count} resumen",
        "{count} riassunto",
    ),
    Phrase(
        "{count} summaries",
        "{count} Zusammenfassungen",
        "{count} résumés",
        "{count} resúmenes",
        "{count} riassunti",
    ),
)
PEOPLE = CountedPhrase(
    Phrase(
        "{count} person",
        "{count} Person",
        "{count} personne",
        "{count} persona",
        "{count} persona",
    ),
    Phrase(
        "{count} people",
        "{count} Personen",
        "{count} personnes",
        "{count} personas",
        "{count} persone",
    ),
)
ENTRIES = CountedPhrase(
    Phrase(
        "{count} entry",
        "{count} Eintrag",
        "{count} entrée",
        "{count} entrada",
        "{count} voce",
    ),
    Phrase(
        "{count} entries",
        "{count} Einträge",
        "{count} entrées",
        "{count} entradas",
        "{count} voci",
    ),
)
GAVE = Phrase(
    "{summaries} of {people} gave {entries}",
    "{summaries} von {people} ergaben {entries}",
    "{summaries} de {people} ont donné {entries}",
    "{summaries} de {people} dieron {entries}",
    "{summaries} di {people} hanno dato {entries}",
)
MERGED = CountedPhrase(
    Phrase(
        "{count} merged",
        "{count} zusammengelegt",
        "{count} fusionnée",
        "{count} unida",
        "{count} unita",
    ),
    Phrase(
        "{count} merged",
        "{count} zusammengelegt",
        "{count} fusionnées",
        "{count} unidas",
        "{count} unite",
    ),
)
ARCHIVED = CountedPhrase(
    Phrase(
        "{count} moved to the archive",
        "{count} ins Archiv verschoben",
        "{count} archivée",
        "{count} archivada",
        "{count} archiviata",
    ),
    Phrase(
        "{count} moved to the archive",
        "{count} ins Archiv verschoben",
        "{count} archivées",
        "{count} archivadas",
        "{count} archiviate",
    ),
)
FAILED = CountedPhrase(
    Phrase(
        "{count} failed and are tried again",
        "{count} misslang und wird wieder versucht",
        "{count} a échoué et sera retenté",
        "{count} falló y se reintenta",
        "{count} non riuscito, da ritentare",
    ),
    Phrase(
        "{count} failed and are tried again",
        "{count} misslangen und werden wieder versucht",
        "{count} ont échoué et seront retentés",
        "{count} fallaron y se reintentan",
        "{count} non riusciti, da ritentare",
    ),
)
