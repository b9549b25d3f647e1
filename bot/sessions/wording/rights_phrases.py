"""What `/rights` says."""

from collections.abc import Mapping

from bot.domain.languages import Language, Phrase
from bot.domain.places import Reach
from bot.tools.policy.verdicts import Strictness

HEAD = Phrase(
    "{name} (`{id}`) is {role}: {source}.",
    "{name} (`{id}`) ist {role}: {source}.",
    "{name} (`{id}`) est {role} : {source}.",
    "{name} (`{id}`) es {role}: {source}.",
    "{name} (`{id}`) è {role}: {source}.",
)
IN = Phrase("In {place}:", "In {place}:", "Dans {place} :", "En {place}:", "In {place}:")
TOOLS = Phrase("Tools:", "Werkzeuge:", "Outils :", "Herramientas:", "Strumenti:")
YES = Phrase("yes", "ja", "oui", "sí", "sì")
NO = Phrase("no", "nein", "non", "no", "no")
OF_TOOL = Phrase(
    "- {tool}: {has}, {because}",
    "- {tool}: {has}, {because}",
    "- {tool} : {has}, {because}",
    "- {tool}: {has}, {because}",
    "- {tool}: {has}, {because}",
)
_LINE = Phrase(
    "{file}, line {line}",
    "{file}, Zeile {line}",
    "{file}, ligne {line}",
    "{file}, línea {line}",
    "{file}, riga {line}",
)
DIRECTLY = Phrase(
    "a direct conversation ({platform})",
    "einem direkten Gespräch ({platform})",
    "une conversation directe ({platform})",
    "una conversación directa ({platform})",
    "una conversazione diretta ({platform})",
)
ANY_PLATFORM = Phrase(
    "any platform",
    "jede Plattform",
    "toute plateforme",
    "cualquier plataforma",
    "qualsiasi piattaforma",
)
CHANNEL = Phrase("channel {id}", "Kanal {id}", "le canal {id}", "el canal {id}", "canale {id}")
CHANNELS = Phrase("channels", "Kanälen", "des canaux", "canales", "canali")
REACHES: Mapping[Reach, Phrase] = {
    Reach.DM: Phrase("dm", "direkt", "direct", "directo", "diretto"),
    Reach.PRIVATE: Phrase("private", "privat", "privé", "privado", "privato"),
    Reach.PUBLIC: Phrase("public", "öffentlich", "public", "público", "pubblico"),
}
OR = Phrase(" or ", " oder ", " ou ", " o ", " o ")
OF_CATEGORY = Phrase(
    "of category {id}",
    "der Kategorie {id}",
    "de la catégorie {id}",
    "de la categoría {id}",
    "della categoria {id}",
)
OF_WORKSPACE = Phrase(
    "of workspace {id}",
    "des Workspace {id}",
    "de l'espace {id}",
    "del espacio {id}",
    "dell'area {id}",
)
ON = Phrase("on {platform}", "auf {platform}", "sur {platform}", "en {platform}", "su {platform}")
AT_TERMINAL = Phrase(
    "the person at the terminal",
    "die Person am Terminal",
    "la personne au terminal",
    "la persona en el terminal",
    "la persona al terminale",
)
ON_PLATFORM = Phrase(
    "their roles on the platform ({tables})",
    "die Rollen auf der Plattform ({tables})",
    "ses rôles sur la plateforme ({tables})",
    "sus roles en la plataforma ({tables})",
    "i suoi ruoli sulla piattaforma ({tables})",
)
NO_TOOL_HERE = Phrase(
    "there is no such tool here",
    "hier gibt es kein solches Werkzeug",
    "il n'y a pas un tel outil ici",
    "aquí no hay tal herramienta",
    "qui non c'è un simile strumento",
)
NO_TOOL = Phrase(
    "there is no such tool",
    "es gibt kein solches Werkzeug",
    "il n'y a pas un tel outil",
    "no hay tal herramienta",
    "non c'è un simile strumento",
)
OPEN_TO = Phrase(
    "open to {roles}{source}",
    "offen für {roles}{source}",
    "ouvert à {roles}{source}",
    "abierta a {roles}{source}",
    "aperto a {roles}{source}",
)
EVERYONE = Phrase("everyone", "alle", "tous", "todos", "tutti")
NOBODY = Phrase("nobody", "niemanden", "personne", "nadie", "nessuno")
CLOSED_BY = Phrase(
    "closed by {rule} ({source})",
    "geschlossen durch {rule} ({source})",
    "fermé par {rule} ({source})",
    "cerrada por {rule} ({source})",
    "chiuso da {rule} ({source})",
)
CLOSED = Phrase(
    "closed by a rule",
    "durch eine Regel geschlossen",
    "fermé par une règle",
    "cerrada por una regla",
    "chiuso da una regola",
)
OF_ANOTHER = Phrase(
    "another agent's tool (folder {folder})",
    "ein Werkzeug eines anderen Agenten (Ordner {folder})",
    "l'outil d'un autre agent (dossier {folder})",
    "herramienta de otro agente (carpeta {folder})",
    "strumento di un altro agente (cartella {folder})",
)
NOT_IN_TALK = Phrase(
    "doesn't exist in conversations",
    "gibt es in Gesprächen nicht",
    "n'existe pas dans les conversations",
    "no existe en las conversaciones",
    "non esiste nelle conversazioni",
)
REQUIRES = Phrase(
    "requires {what}, which is not available to this person",
    "braucht {what}, was dieser Person nicht zur Verfügung steht",
    "demande {what}, dont cette personne ne dispose pas",
    "requiere {what}, que no está disponible para esta persona",
    "richiede {what}, che questa persona non ha a disposizione",
)
A_CONNECTOR = Phrase(
    "a connector", "einen Connector", "un connecteur", "un conector", "un connettore"
)
CANT_RUN = Phrase(
    "can't run: {why}",
    "kann nicht laufen: {why}",
    "ne peut pas tourner : {why}",
    "no puede ejecutarse: {why}",
    "non può girare: {why}",
)
NOTHING_RUNS = Phrase(
    "nothing in this installation runs it",
    "nichts in dieser Installation führt es aus",
    "rien dans cette installation ne l'exécute",
    "nada en esta instalación la ejecuta",
    "nulla in questa installazione lo esegue",
)
FOR_SOME = Phrase(
    " for some arguments",
    " bei manchen Argumenten",
    " pour certains arguments",
    " con algunos argumentos",
    " con alcuni argomenti",
)
DECISIONS: Mapping[Strictness, Phrase] = {
    Strictness.ALLOW: Phrase(
        "not asked about{some}: {rule} ({source})",
        "ohne Rückfrage{some}: {rule} ({source})",
        "sans question{some} : {rule} ({source})",
        "sin preguntar{some}: {rule} ({source})",
        "senza domande{some}: {rule} ({source})",
    ),
    Strictness.ASK: Phrase(
        "asked about{some}: {rule} ({source})",
        "mit Rückfrage{some}: {rule} ({source})",
        "avec une question{some} : {rule} ({source})",
        "con pregunta{some}: {rule} ({source})",
        "con una domanda{some}: {rule} ({source})",
    ),
    Strictness.DENY: Phrase(
        "denied{some}: {rule} ({source})",
        "abgelehnt{some}: {rule} ({source})",
        "refusé{some} : {rule} ({source})",
        "denegada{some}: {rule} ({source})",
        "negato{some}: {rule} ({source})",
    ),
}
ALL_CLOSED = Phrase(
    "every tool is closed: policy:{rule} ({source})",
    "jedes Werkzeug ist geschlossen: policy:{rule} ({source})",
    "tous les outils sont fermés : policy:{rule} ({source})",
    "todas las herramientas están cerradas: policy:{rule} ({source})",
    "ogni strumento è chiuso: policy:{rule} ({source})",
)
AGENT = Phrase(
    "agent: {value}", "Agent: {value}", "agent : {value}", "agente: {value}", "agente: {value}"
)
REPLY = Phrase(
    "reply: {value}",
    "Antwort: {value}",
    "réponse : {value}",
    "respuesta: {value}",
    "risposta: {value}",
)
GUESTS = Phrase(
    "guests: {value}",
    "Gäste: {value}",
    "invités : {value}",
    "invitados: {value}",
    "ospiti: {value}",
)
DEFAULT = Phrase("default", "Vorgabe", "par défaut", "por defecto", "predefinito")
NOT_LEARNED = Phrase(
    "nothing is learned there ({source})",
    "dort wird nichts gelernt ({source})",
    "rien n'y est appris ({source})",
    "allí no se aprende nada ({source})",
    "lì non si impara nulla ({source})",
)
BUDGET = Phrase(
    "budget: {name} {amount} ({source})",
    "Budget: {name} {amount} ({source})",
    "budget : {name} {amount} ({source})",
    "presupuesto: {name} {amount} ({source})",
    "budget: {name} {amount} ({source})",
)


def at_line(source: str, language: Language) -> str:
    """A file and the line in it, as the house writes them: `policy.yaml, line 5`."""
    file, _, line = source.rpartition(", line ")
    return _LINE.said(language, file=file, line=line) if file else source
