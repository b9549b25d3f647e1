"""What built-in commands are called and do, in each language.

Platforms with commands of their own show these words in the language of a person's app. Typed
commands keep their English names.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.languages import Phrase


@dataclass(frozen=True)
class CommandWords:
    name: Phrase
    about: Phrase
    """At most 100 characters: Discord's limit."""


COMMANDS: Mapping[str, CommandWords] = {
    words.name.en: words
    for words in (
        CommandWords(
            Phrase("help", "hilfe", "aide", "ayuda", "aiuto"),
            Phrase(
                "what I can do and which commands there are",
                "was ich kann und welche Befehle es gibt",
                "ce que je sais faire et quelles commandes existent",
                "qué puedo hacer y qué comandos hay",
                "che cosa so fare e quali comandi ci sono",
            ),
        ),
        CommandWords(
            Phrase("ask", "fragen", "demander", "preguntar", "chiedi"),
            Phrase(
                "ask me something; where others read, only you read the answer",
                "mich etwas fragen; wo andere mitlesen, liest nur du die Antwort",
                "me demander quelque chose ; devant d'autres, vous seul lisez la réponse",
                "preguntarme algo; donde otros leen, solo tú lees la respuesta",
                "chiedermi qualcosa; dove altri leggono, solo tu leggi la risposta",
            ),
        ),
        CommandWords(
            Phrase("catchup", "nachholen", "rattraper", "novedades", "novità"),
            Phrase(
                "what happened here since you were last here; only you read the answer",
                "was hier geschah, seit du zuletzt da warst; nur du liest die Antwort",
                "ce qui s'est passé ici depuis votre dernière venue ; vous seul lisez la réponse",
                "qué pasó aquí desde tu última visita; solo tú lees la respuesta",
                "che cosa è successo qui dalla tua ultima visita; solo tu leggi la risposta",
            ),
        ),
        CommandWords(
            Phrase("follow", "folgen", "suivre", "seguir", "segui"),
            Phrase(
                "answer everything in this thread, without a mention",
                "in diesem Thread auf alles antworten, ohne Erwähnung",
                "répondre à tout dans ce fil, sans mention",
                "responder a todo en este hilo, sin mención",
                "rispondere a tutto in questa discussione, senza menzione",
            ),
        ),
        CommandWords(
            Phrase("leave", "verlassen", "quitter", "salir", "esci"),
            Phrase(
                "leave this thread: answer in it only who mentions me",
                "diesen Thread verlassen: nur noch antworten, wenn man mich erwähnt",
                "quitter ce fil : n'y répondre qu'à qui me mentionne",
                "salir de este hilo: responder solo a quien me menciona",
                "lasciare questa discussione: rispondere solo a chi mi menziona",
            ),
        ),
        CommandWords(
            Phrase("mode", "modus", "mode", "modo", "modalità"),
            Phrase(
                "whom I answer in this channel; a Partner changes it",
                "wem ich in diesem Kanal antworte; ein Partner ändert es",
                "à qui je réponds dans ce canal ; un Partner le change",
                "a quién respondo en este canal; un Partner lo cambia",
                "a chi rispondo in questo canale; lo cambia un Partner",
            ),
        ),
        CommandWords(
            Phrase("answers", "antworten", "réponses", "respuestas", "risposte"),
            Phrase(
                "long answers whole, or short with the rest as a file or in the thread",
                "lange Antworten ganz, oder kurz mit dem Rest als Datei oder im Thread",
                "longues réponses entières, ou courtes avec le reste en fichier ou dans le fil",
                "respuestas largas enteras, o cortas con el resto en un archivo o en el hilo",
                "risposte lunghe intere, o brevi con il resto in un file o nella discussione",
            ),
        ),
        CommandWords(
            Phrase("new", "neu", "nouveau", "nuevo", "nuovo"),
            Phrase(
                "start afresh: I forget our conversation; files, todos, notes and memory stay",
                "neu anfangen: ich vergesse das Gespräch; Dateien, Aufgaben, Notizen bleiben",
                "repartir de zéro : j'oublie la conversation ; fichiers, tâches et notes restent",
                "empezar de nuevo: olvido la conversación; archivos, tareas y notas quedan",
                "ricominciare: dimentico la conversazione; file, attività e note restano",
            ),
        ),
        CommandWords(
            Phrase("compact", "kürzen", "résumer", "resumir", "riassumere"),
            Phrase(
                "go on from a summary of our conversation, to make room",
                "mit einer Zusammenfassung weitermachen, um Platz zu schaffen",
                "continuer à partir d'un résumé, pour faire de la place",
                "seguir con un resumen de la conversación, para hacer sitio",
                "continuare da un riassunto della conversazione, per fare spazio",
            ),
        ),
        CommandWords(
            Phrase("stop", "stopp", "arrêter", "parar", "ferma"),
            Phrase(
                "stop what I am doing for you here",
                "anhalten, was ich hier für dich tue",
                "arrêter ce que je fais pour vous ici",
                "parar lo que estoy haciendo aquí para ti",
                "fermare quello che sto facendo qui per te",
            ),
        ),
        CommandWords(
            Phrase("status", "stand", "état", "estado", "stato"),
            Phrase(
                "model, role, and what is running or waiting",
                "Modell, Rolle und was läuft oder wartet",
                "modèle, rôle, et ce qui tourne ou attend",
                "modelo, rol y lo que está en marcha o en espera",
                "modello, ruolo e che cosa è in corso o in attesa",
            ),
        ),
        CommandWords(
            Phrase("plan", "plan", "plan", "plan", "piano"),
            Phrase(
                "the plan that I work on here; strike a task, or add one",
                "der Plan, an dem ich hier arbeite; eine Aufgabe streichen oder ergänzen",
                "le plan que je suis ici ; retirer une tâche ou en ajouter une",
                "el plan en el que trabajo aquí; quitar una tarea o añadir una",
                "il piano a cui lavoro qui; togliere un compito o aggiungerne uno",
            ),
        ),
        CommandWords(
            Phrase("why", "warum", "pourquoi", "porqué", "perché"),
            Phrase(
                "what happened to your last message, or to a reference",
                "was aus deiner letzten Nachricht oder einer Referenz wurde",
                "ce qu'est devenu votre dernier message, ou une référence",
                "qué pasó con tu último mensaje o con una referencia",
                "che cosa è successo al tuo ultimo messaggio o a un riferimento",
            ),
        ),
        CommandWords(
            Phrase("rate", "bewerten", "noter", "valorar", "valuta"),
            Phrase(
                "say whether an answer helped",
                "sagen, ob eine Antwort geholfen hat",
                "dire si une réponse a aidé",
                "decir si una respuesta ayudó",
                "dire se una risposta è servita",
            ),
        ),
        CommandWords(
            Phrase("home", "übersicht", "accueil", "inicio", "pagina"),
            Phrase(
                "your todos, schedules, approvals and costs on one page",
                "deine Aufgaben, Zeitpläne, Freigaben und Kosten auf einer Seite",
                "vos tâches, planifications, accords et coûts sur une page",
                "tus tareas, programaciones, permisos y costes en una página",
                "le tue attività, pianificazioni, approvazioni e costi in una pagina",
            ),
        ),
        CommandWords(
            Phrase("usage", "verbrauch", "consommation", "consumo", "consumo"),
            Phrase(
                "what your requests used, and the agents that I called",
                "was deine Anfragen verbraucht haben, und welche Agenten ich rief",
                "ce que vos demandes ont consommé, et les agents appelés",
                "qué consumieron tus peticiones, y los agentes que llamé",
                "quanto hanno consumato le tue richieste, e gli agenti chiamati",
            ),
        ),
        CommandWords(
            Phrase("rights", "rechte", "droits", "permisos", "permessi"),
            Phrase(
                "what you may do here, and which file says so",
                "was du hier darfst, und welche Datei das festlegt",
                "ce que vous pouvez faire ici, et quel fichier le dit",
                "qué puedes hacer aquí, y qué archivo lo dice",
                "che cosa puoi fare qui, e quale file lo dice",
            ),
        ),
        CommandWords(
            Phrase("approve", "genehmigen", "approuver", "aprobar", "approva"),
            Phrase(
                "let a waiting call run",
                "einen wartenden Aufruf erlauben",
                "laisser passer un appel en attente",
                "permitir una llamada en espera",
                "lasciare eseguire una chiamata in attesa",
            ),
        ),
        CommandWords(
            Phrase("reject", "ablehnen", "refuser", "rechazar", "rifiuta"),
            Phrase(
                "refuse a waiting call",
                "einen wartenden Aufruf ablehnen",
                "refuser un appel en attente",
                "rechazar una llamada en espera",
                "rifiutare una chiamata in attesa",
            ),
        ),
        CommandWords(
            Phrase("approvals", "genehmigungen", "approbations", "aprobaciones", "approvazioni"),
            Phrase(
                "what waits for your yes; show one again",
                "was auf dein Ja wartet; eine Karte noch einmal zeigen",
                "ce qui attend votre oui ; en remontrer une",
                "qué espera tu sí; mostrar una otra vez",
                "che cosa aspetta il tuo sì; mostrarne una di nuovo",
            ),
        ),
        CommandWords(
            Phrase("grants", "freigaben", "accords", "autorizaciones", "autorizzazioni"),
            Phrase(
                "what I may do without asking; revoke it",
                "was ich ohne Rückfrage darf; es widerrufen",
                "ce que je peux faire sans demander ; le révoquer",
                "qué puedo hacer sin preguntar; revocarlo",
                "che cosa posso fare senza chiedere; revocarlo",
            ),
        ),
        CommandWords(
            Phrase("undo", "rückgängig", "annuler", "deshacer", "annulla"),
            Phrase(
                "take back what I changed for you in the last hour",
                "zurücknehmen, was ich in der letzten Stunde für dich geändert habe",
                "annuler ce que j'ai changé pour vous dans l'heure",
                "deshacer lo que cambié para ti en la última hora",
                "annullare quello che ho cambiato per te nell'ultima ora",
            ),
        ),
        CommandWords(
            Phrase("todo", "aufgaben", "tâches", "tareas", "attività"),
            Phrase(
                "your open todos; say that one is done, or move it",
                "deine offenen Aufgaben; eine abhaken oder verschieben",
                "vos tâches ouvertes ; en terminer une ou la déplacer",
                "tus tareas abiertas; terminar una o moverla",
                "le tue attività aperte; completarne una o spostarla",
            ),
        ),
        CommandWords(
            Phrase("remindme", "erinnern", "rappels", "recordatorios", "promemoria"),
            Phrase(
                "whether others may set reminders for you",
                "ob andere dich erinnern lassen dürfen",
                "si d'autres peuvent vous faire rappeler des choses",
                "si otros pueden ponerte recordatorios",
                "se altri possono impostarti promemoria",
            ),
        ),
        CommandWords(
            Phrase("schedule", "zeitplan", "planning", "programación", "pianificazione"),
            Phrase(
                "your schedules, and how their last runs ended",
                "deine Zeitpläne, und wie ihre letzten Läufe endeten",
                "vos planifications, et comment se sont terminés leurs derniers passages",
                "tus programaciones, y cómo acabaron sus últimas ejecuciones",
                "le tue pianificazioni, e come sono finite le ultime esecuzioni",
            ),
        ),
        CommandWords(
            Phrase(
                "automations", "automationen", "automatisations", "automatizaciones", "automazioni"
            ),
            Phrase(
                "what runs by itself; on or off here",
                "was von selbst läuft; hier an oder aus",
                "ce qui tourne tout seul ; activer ou couper ici",
                "qué se ejecuta solo; activar o desactivar aquí",
                "che cosa gira da solo; attivo o spento qui",
            ),
        ),
        CommandWords(
            Phrase("files", "dateien", "fichiers", "archivos", "file"),
            Phrase(
                "list your documents, or get one by its path",
                "deine Dokumente auflisten, oder eines über seinen Pfad holen",
                "lister vos documents, ou en obtenir un par son chemin",
                "ver tus documentos, u obtener uno por su ruta",
                "elencare i tuoi documenti, o averne uno dal percorso",
            ),
        ),
        CommandWords(
            Phrase("people", "leute", "personnes", "personas", "persone"),
            Phrase(
                "people I know; merge two files about one person",
                "wen ich kenne; zwei Dateien über eine Person zusammenlegen",
                "qui je connais ; fusionner deux fiches d'une personne",
                "a quién conozco; unir dos fichas de una persona",
                "chi conosco; unire due schede di una persona",
            ),
        ),
        CommandWords(
            Phrase("memory", "gedächtnis", "mémoire", "memoria", "memoria"),
            Phrase(
                "what I remember about you; forget it; learning on or off",
                "was ich über dich weiß; es vergessen; Lernen an oder aus",
                "ce que je retiens de vous ; l'oublier ; apprendre ou non",
                "qué recuerdo de ti; olvidarlo; aprender sí o no",
                "che cosa ricordo di te; dimenticarlo; imparare sì o no",
            ),
        ),
        CommandWords(
            Phrase("share", "teilen", "partager", "compartir", "condividi"),
            Phrase(
                "share a sentence with all members, after you have seen who will read it",
                "einen Satz mit allen teilen, nachdem du gesehen hast, wer ihn liest",
                "partager une phrase avec tous, après avoir vu qui la lira",
                "compartir una frase con todos, tras ver quién la leerá",
                "condividere una frase con tutti, dopo aver visto chi la leggerà",
            ),
        ),
        CommandWords(
            Phrase("export", "export", "exporter", "exportar", "esporta"),
            Phrase(
                "everything that I keep of you, as files",
                "alles, was ich von dir habe, als Dateien",
                "tout ce que je garde de vous, en fichiers",
                "todo lo que guardo de ti, como archivos",
                "tutto quello che conservo di te, come file",
            ),
        ),
        CommandWords(
            Phrase("connect", "verbinden", "connecter", "conectar", "collega"),
            Phrase(
                "connect your account at another service",
                "dein Konto bei einem anderen Dienst verbinden",
                "connecter votre compte d'un autre service",
                "conectar tu cuenta de otro servicio",
                "collegare il tuo account di un altro servizio",
            ),
        ),
        CommandWords(
            Phrase("disconnect", "trennen", "déconnecter", "desconectar", "scollega"),
            Phrase(
                "disconnect it",
                "die Verbindung trennen",
                "le déconnecter",
                "desconectarla",
                "scollegarlo",
            ),
        ),
        CommandWords(
            Phrase("booking", "buchung", "réservation", "reservas", "prenotazioni"),
            Phrase(
                "your page on which others book a free time with you",
                "deine Seite, auf der andere einen freien Termin mit dir buchen",
                "votre page où d'autres réservent un moment libre avec vous",
                "tu página donde otros reservan un rato libre contigo",
                "la tua pagina su cui altri prenotano un orario libero con te",
            ),
        ),
        CommandWords(
            Phrase("claim", "übernehmen", "revendiquer", "reclamar", "rivendica"),
            Phrase(
                "become the owner, with the code that the terminal shows",
                "mit dem Code aus dem Terminal Besitzer werden",
                "devenir propriétaire, avec le code affiché dans le terminal",
                "ser el propietario, con el código que muestra la terminal",
                "diventare proprietario, con il codice mostrato dal terminale",
            ),
        ),
        CommandWords(
            Phrase("pair", "zuordnen", "identifier", "identificar", "identifica"),
            Phrase(
                "say who somebody is (MasterAdmin)",
                "sagen, wer jemand ist (MasterAdmin)",
                "dire qui est quelqu'un (MasterAdmin)",
                "decir quién es alguien (MasterAdmin)",
                "dire chi è qualcuno (MasterAdmin)",
            ),
        ),
        CommandWords(
            Phrase("takeover", "übertragen", "transférer", "traspasar", "trasferisci"),
            Phrase(
                "give a contact what is kept under another id (MasterAdmin)",
                "einem Kontakt geben, was unter anderer Kennung steht (MasterAdmin)",
                "donner à un contact ce qui est sous un autre identifiant (MasterAdmin)",
                "dar a un contacto lo guardado con otro identificador (MasterAdmin)",
                "dare a un contatto ciò che sta sotto un altro id (MasterAdmin)",
            ),
        ),
        CommandWords(
            Phrase("tools", "werkzeuge", "outils", "herramientas", "strumenti"),
            Phrase(
                "decide about tools and skills that were made here (MasterAdmin)",
                "über hier gemachte Werkzeuge und Skills entscheiden (MasterAdmin)",
                "décider des outils et compétences faits ici (MasterAdmin)",
                "decidir sobre herramientas y habilidades hechas aquí (MasterAdmin)",
                "decidere su strumenti e abilità fatti qui (MasterAdmin)",
            ),
        ),
        CommandWords(
            Phrase("skills", "skills", "compétences", "habilidades", "abilità"),
            Phrase(
                "the skills that are here, by family; MasterAdmins import some",
                "die Skills hier nach Familien; MasterAdmins importieren welche",
                "les compétences d'ici, par famille ; les MasterAdmins en importent",
                "las habilidades de aquí, por familia; los MasterAdmin importan",
                "le abilità di qui, per famiglia; i MasterAdmin ne importano",
            ),
        ),
        CommandWords(
            Phrase("skill", "skill", "compétence", "habilidad", "capacità"),
            Phrase(
                "run a skill, or: list, show, new, share, remove",
                "einen Skill ausführen, oder: list, show, new, share, remove",
                "lancer une compétence, ou : list, show, new, share, remove",
                "ejecutar una habilidad, o: list, show, new, share, remove",
                "eseguire un'abilità, o: list, show, new, share, remove",
            ),
        ),
    )
}
