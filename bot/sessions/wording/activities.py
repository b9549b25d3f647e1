"""What is being done, in the words and language of the person who waits for it.

A tool's name means nothing to most people, so each tool that ships has a phrase: here, often one
for several tools, or in its `NativeTool.doing`, where a plug-in says its own. Tools of a home or a
server have none: of those the name is shown, as words.
"""

from collections.abc import Mapping

from bot.domain.card_words import titled
from bot.domain.chat import Pause, ToolStarted
from bot.domain.languages import Language, Phrase

_ABOUT_CHARS = 60

THINKING = Phrase(
    "Thinking it through",
    "Ich denke nach",
    "Je réfléchis",
    "Lo estoy pensando",
    "Ci sto pensando",
)
DONE = Phrase("Done", "Fertig", "Terminé", "Hecho", "Fatto")
PAUSES: Mapping[Pause, Phrase] = {
    Pause.TRYING_AGAIN: Phrase(
        "Trying again",
        "Ich versuche es noch einmal",
        "Je réessaie",
        "Lo intento otra vez",
        "Ci riprovo",
    ),
    Pause.READING_MORE: Phrase(
        "Reading what you added",
        "Ich lese, was dazugekommen ist",
        "Je lis ce que vous avez ajouté",
        "Leo lo que has añadido",
        "Leggo quello che hai aggiunto",
    ),
    Pause.MAKING_ROOM: Phrase(
        "Summarising our conversation to make room",
        "Ich fasse unser Gespräch zusammen, um Platz zu schaffen",
        "Je résume notre conversation pour faire de la place",
        "Resumo nuestra conversación para hacer sitio",
        "Riassumo la nostra conversazione per fare spazio",
    ),
}
_OTHER = Phrase(
    "Using {name}",
    "Ich nutze {name}",
    "J'utilise {name}",
    "Uso {name}",
    "Uso {name}",
)
_SPECIALIST = Phrase(
    "Asking {name}",
    "Ich frage {name}",
    "Je demande à {name}",
    "Pregunto a {name}",
    "Chiedo a {name}",
)
_SPECIALIST_TOOL = "agent_"


def _of(tools: str, en: str, de: str, fr: str, es: str, it: str) -> tuple[tuple[str, ...], Phrase]:
    return tuple(tools.split()), Phrase(en, de, fr, es, it)


_GROUPS = (
    _of(
        "web_search",
        "Searching the web",
        "Ich suche im Web",
        "Je cherche sur le web",
        "Busco en la web",
        "Cerco nel web",
    ),
    _of(
        "web_fetch web_scrape",
        "Reading a web page",
        "Ich lese eine Webseite",
        "Je lis une page web",
        "Leo una página web",
        "Leggo una pagina web",
    ),
    _of(
        "manage_todos",
        "Looking after your todos",
        "Ich kümmere mich um deine Aufgaben",
        "Je m'occupe de vos tâches",
        "Me ocupo de tus tareas",
        "Mi occupo delle tue attività",
    ),
    _of(
        "manage_notes",
        "Looking after your notes",
        "Ich kümmere mich um deine Notizen",
        "Je m'occupe de vos notes",
        "Me ocupo de tus notas",
        "Mi occupo delle tue note",
    ),
    _of(
        "read_file list_directory document_versions pm_read_file pm_list_files",
        "Looking through files",
        "Ich sehe Dateien durch",
        "Je parcours des fichiers",
        "Miro archivos",
        "Guardo dei file",
    ),
    _of(
        "write_file edit_file pm_write_file",
        "Writing a file",
        "Ich schreibe eine Datei",
        "J'écris un fichier",
        "Escribo un archivo",
        "Scrivo un file",
    ),
    _of(
        "delete_file",
        "Deleting a file",
        "Ich lösche eine Datei",
        "Je supprime un fichier",
        "Borro un archivo",
        "Elimino un file",
    ),
    _of(
        "make_file",
        "Making a file for you",
        "Ich mache dir eine Datei",
        "Je prépare un fichier pour vous",
        "Preparo un archivo para ti",
        "Preparo un file per te",
    ),
    _of(
        "plot",
        "Drawing a chart",
        "Ich zeichne ein Diagramm",
        "Je trace un graphique",
        "Dibujo un gráfico",
        "Disegno un grafico",
    ),
    _of(
        "get_calendar read_calendar",
        "Looking at the calendar",
        "Ich sehe in den Kalender",
        "Je regarde l'agenda",
        "Miro el calendario",
        "Guardo il calendario",
    ),
    _of(
        "create_event",
        "Putting it into the calendar",
        "Ich trage es in den Kalender ein",
        "Je l'inscris dans l'agenda",
        "Lo apunto en el calendario",
        "Lo metto nel calendario",
    ),
    _of(
        "read_emails",
        "Reading mail",
        "Ich lese Mails",
        "Je lis les e-mails",
        "Leo el correo",
        "Leggo la posta",
    ),
    _of(
        "remember knowledge_search",
        "Going through what I remember",
        "Ich gehe durch, was ich noch weiß",
        "Je parcours ce que j'ai retenu",
        "Repaso lo que recuerdo",
        "Ripasso quello che ricordo",
    ),
    _of(
        "knowledge_store save_fact share_memory keep_document",
        "Making a note of it",
        "Ich merke es mir",
        "Je le retiens",
        "Tomo nota",
        "Ne prendo nota",
    ),
    _of(
        "forget",
        "Forgetting it",
        "Ich vergesse es",
        "Je l'oublie",
        "Lo olvido",
        "Lo dimentico",
    ),
    _of(
        "search search_documents catch_me_up",
        "Searching what was said and kept here",
        "Ich suche in dem, was hier gesagt und abgelegt wurde",
        "Je cherche dans ce qui a été dit et gardé ici",
        "Busco en lo que se dijo y guardó aquí",
        "Cerco in quello che è stato detto e tenuto qui",
    ),
    _of(
        "calculate current_time",
        "Working it out",
        "Ich rechne nach",
        "Je calcule",
        "Hago la cuenta",
        "Faccio il conto",
    ),
    _of(
        "follow_thread",
        "Seeing whom to answer here",
        "Ich merke mir, wem ich hier antworte",
        "Je note à qui répondre ici",
        "Anoto a quién responder aquí",
        "Mi segno a chi rispondere qui",
    ),
    _of(
        "polls",
        "Looking after a poll",
        "Ich kümmere mich um eine Umfrage",
        "Je m'occupe d'un sondage",
        "Me ocupo de una encuesta",
        "Mi occupo di un sondaggio",
    ),
    _of(
        "people",
        "Looking up who is who",
        "Ich sehe nach, wer wer ist",
        "Je regarde qui est qui",
        "Miro quién es quién",
        "Guardo chi è chi",
    ),
    _of(
        "meetings",
        "Looking through meetings",
        "Ich sehe Besprechungen durch",
        "Je parcours les réunions",
        "Miro las reuniones",
        "Guardo le riunioni",
    ),
    _of(
        "schedule_task remind_member",
        "Setting it up for later",
        "Ich richte es für später ein",
        "Je le prépare pour plus tard",
        "Lo dejo listo para más tarde",
        "Lo preparo per dopo",
    ),
    _of(
        "send",
        "Writing a message",
        "Ich schreibe eine Nachricht",
        "J'écris un message",
        "Escribo un mensaje",
        "Scrivo un messaggio",
    ),
    _of(
        "tool_search get_capabilities read_skill activate_skill deactivate_skill",
        "Looking for the best way",
        "Ich suche den besten Weg",
        "Je cherche la meilleure façon",
        "Busco la mejor manera",
        "Cerco il modo migliore",
    ),
    _of(
        "plan recovery pm_run_batch",
        "Working through the plan",
        "Ich arbeite den Plan ab",
        "J'avance dans le plan",
        "Avanzo con el plan",
        "Procedo con il piano",
    ),
    _of(
        "call_agent pm_spawn_ant",
        "Handing a part of it over",
        "Ich gebe einen Teil davon weiter",
        "J'en confie une partie",
        "Encargo una parte",
        "Ne affido una parte",
    ),
    _of(
        "cancel_agent",
        "Stopping what runs",
        "Ich halte an, was läuft",
        "J'arrête ce qui tourne",
        "Paro lo que está en marcha",
        "Fermo quello che è in corso",
    ),
    _of(
        "ask_user_for_clarification plan_calls ant_request_help request_more_turns",
        "Preparing a question",
        "Ich bereite eine Frage vor",
        "Je prépare une question",
        "Preparo una pregunta",
        "Preparo una domanda",
    ),
    _of(
        "connect_service",
        "Seeing how to connect your account",
        "Ich sehe, wie dein Konto zu verbinden ist",
        "Je regarde comment connecter votre compte",
        "Miro cómo conectar tu cuenta",
        "Guardo come collegare il tuo account",
    ),
    _of(
        "inspect_cycle recall_recent",
        "Looking at earlier work",
        "Ich sehe frühere Arbeit an",
        "Je regarde le travail précédent",
        "Miro el trabajo anterior",
        "Guardo il lavoro precedente",
    ),
    _of(
        "pm_shell",
        "Running a command",
        "Ich führe einen Befehl aus",
        "J'exécute une commande",
        "Ejecuto una orden",
        "Eseguo un comando",
    ),
    _of(
        "pm_prepare_workspace pm_snapshot pm_restore_snapshot",
        "Preparing the project",
        "Ich bereite das Projekt vor",
        "Je prépare le projet",
        "Preparo el proyecto",
        "Preparo il progetto",
    ),
    _of(
        "dns_lookup port_check tls_certificate http_headers host_report file_secrets",
        "Checking the machine",
        "Ich prüfe die Technik",
        "Je vérifie la machine",
        "Compruebo la máquina",
        "Controllo la macchina",
    ),
    _of(
        "create_tool create_skill update_skill test_tool validate_tool release_draft",
        "Building a new tool",
        "Ich baue ein neues Werkzeug",
        "Je construis un nouvel outil",
        "Construyo una herramienta nueva",
        "Costruisco uno strumento nuovo",
    ),
    _of(
        "finish_task ant_execute_task ant_report_discovery",
        "Finishing",
        "Ich komme zum Schluss",
        "Je termine",
        "Estoy terminando",
        "Sto finendo",
    ),
    _of(
        "forum_post",
        "Looking after this post",
        "Ich kümmere mich um diesen Beitrag",
        "Je m'occupe de ce sujet",
        "Me ocupo de este hilo",
        "Mi occupo di questo post",
    ),
    _of(
        "server_events",
        "Looking after the events here",
        "Ich kümmere mich um die Veranstaltungen hier",
        "Je m'occupe des événements d'ici",
        "Me ocupo de los eventos de aquí",
        "Mi occupo degli eventi di qui",
    ),
)
PHRASES: Mapping[str, Phrase] = {tool: phrase for tools, phrase in _GROUPS for tool in tools}
"""By the name of a tool of the house."""


def doing(call: ToolStarted, language: Language) -> str:
    """`Searching the web: “flights to Rome”`."""
    about = f": {titled(call.about, _ABOUT_CHARS)}" if call.about else ""
    words = call.doing.said(language) if call.doing else _phrase(call.name, language)
    return f"{words}{about}"


def pausing(pause: Pause, language: Language) -> str:
    return PAUSES[pause].said(language)


def _phrase(tool: str, language: Language) -> str:
    if (phrase := PHRASES.get(tool)) is not None:
        return phrase.said(language)
    specialist = tool.startswith(_SPECIALIST_TOOL)
    name = titled(tool.removeprefix(_SPECIALIST_TOOL).replace("_", " "), _ABOUT_CHARS)
    return (_SPECIALIST if specialist else _OTHER).said(language, name=name)
