"""What `/skill` and `/skills` say: how they are used, what there is, and what became of one."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.skills.families import title_of

USAGE = Phrase(
    "`/skill NAME [TASK]` runs a skill. `/skill list` names them, `/skill show NAME` shows one,"
    " `/skill new NAME` makes one of your own (or in one go: `/skill new NAME: INSTRUCTIONS`),"
    " `/skill share NAME` gives it to everybody here, `/skill remove NAME` removes it,"
    " `/skill found` offers what you do again and again.",
    "`/skill NAME [AUFGABE]` führt einen Skill aus. `/skill list` nennt sie, `/skill show NAME`"
    " zeigt einen, `/skill new NAME` legt einen eigenen an (oder auf einmal:"
    " `/skill new NAME: ANWEISUNGEN`), `/skill share NAME` gibt ihn allen hier,"
    " `/skill remove NAME` löscht ihn, `/skill found` bietet an, was du immer wieder tust.",
    "`/skill NOM [TÂCHE]` lance une compétence. `/skill list` les nomme, `/skill show NOM` en"
    " montre une, `/skill new NOM` en crée une à vous (ou d'un coup :"
    " `/skill new NOM: INSTRUCTIONS`), `/skill share NOM` la donne à tous ici,"
    " `/skill remove NOM` la supprime, `/skill found` propose ce que vous faites souvent.",
    "`/skill NOMBRE [TAREA]` ejecuta una habilidad. `/skill list` las nombra, `/skill show NOMBRE`"
    " muestra una, `/skill new NOMBRE` crea una tuya (o de una vez:"
    " `/skill new NOMBRE: INSTRUCCIONES`), `/skill share NOMBRE` la da a todos aquí,"
    " `/skill remove NOMBRE` la borra, `/skill found` ofrece lo que haces una y otra vez.",
    "`/skill NOME [COMPITO]` esegue un'abilità. `/skill list` le elenca, `/skill show NOME` ne"
    " mostra una, `/skill new NOME` ne crea una tua (o in una volta:"
    " `/skill new NOME: ISTRUZIONI`), `/skill share NOME` la dà a tutti qui, `/skill remove NOME`"
    " la cancella, `/skill found` offre ciò che fai di continuo.",
)
NO_SKILL = Phrase(
    "There is no skill '{name}' for you.",
    "Einen Skill „{name}“ gibt es für dich nicht.",
    "Il n'y a pas de compétence « {name} » pour vous.",
    "No hay ninguna habilidad «{name}» para ti.",
    "Non c'è un'abilità «{name}» per te.",
)
LIST_SHOWS = Phrase(
    "`/skill list` shows which there are.",
    "`/skill list` zeigt, welche es gibt.",
    "`/skill list` montre celles qui existent.",
    "`/skill list` muestra cuáles hay.",
    "`/skill list` mostra quali ci sono.",
)
YOURS = Phrase("yours", "deiner", "à vous", "tuya", "tua")
SHARED_BY = Phrase(
    "shared by {who}",
    "geteilt von {who}",
    "partagée par {who}",
    "compartida por {who}",
    "condivisa da {who}",
)
AND_MORE = CountedPhrase(
    Phrase(
        "and {count} more",
        "und {count} weiterer",
        "et {count} autre",
        "y {count} más",
        "e un'altra",
    ),
    Phrase(
        "and {count} more",
        "und {count} weitere",
        "et {count} autres",
        "y {count} más",
        "e altre {count}",
    ),
)
OF_PEOPLE = Phrase(
    "Of people here",
    "Von Leuten hier",
    "Des gens d'ici",
    "De la gente de aquí",
    "Delle persone di qui",
)
IS_PRIVATE = Phrase(
    "That skill is private; ask me in a direct message.",
    "Dieser Skill ist privat; frag mich in einer Direktnachricht.",
    "Cette compétence est privée ; demandez-moi en message privé.",
    "Esa habilidad es privada; pregúntame en un mensaje directo.",
    "Quell'abilità è privata; chiedimi in un messaggio diretto.",
)
REMOVED = Phrase(
    "Removed {name}.", "{name} ist gelöscht.", "{name} est supprimée.", "{name} está borrada.",
    "{name} è cancellata.",
)  # fmt: skip
NOW_SHARED = Phrase(
    "Now everybody here has it: {what}",
    "Jetzt haben ihn alle hier: {what}",
    "Tout le monde ici l'a maintenant : {what}",
    "Ahora la tienen todos aquí: {what}",
    "Ora ce l'hanno tutti qui: {what}",
)
SAVED = Phrase(
    "Saved: {what}",
    "Gespeichert: {what}",
    "Enregistrée : {what}",
    "Guardada: {what}",
    "Salvata: {what}",
)
RUNS_IT = Phrase(
    "`/{name}` runs it",
    "`/{name}` führt ihn aus",
    "`/{name}` la lance",
    "`/{name}` la ejecuta",
    "`/{name}` la esegue",
)
BY_ITSELF = Phrase(
    "I use it by myself from your next session on",
    "ich nutze ihn von selbst ab deiner nächsten Sitzung",
    "je m'en sers moi-même dès votre prochaine session",
    "la uso por mi cuenta desde tu próxima sesión",
    "la uso da solo dalla tua prossima sessione",
)
NOTHING_RUNS_IT = Phrase(
    "nothing runs it",
    "nichts führt ihn aus",
    "rien ne la lance",
    "nada la ejecuta",
    "nulla la esegue",
)
ASK_DIRECTLY = Phrase(
    "Ask me in a direct message: it is about your conversations.",
    "Frag mich in einer Direktnachricht: es geht um deine Gespräche.",
    "Demandez-moi en message privé : il s'agit de vos conversations.",
    "Pregúntame en un mensaje directo: se trata de tus conversaciones.",
    "Chiedimi in un messaggio diretto: si tratta delle tue conversazioni.",
)
NOTHING_RECURS = Phrase(
    "No way of working recurs in your conversations yet: I look for four or more tools in the same"
    " order in three conversations that have ended.",
    "Noch kehrt keine Arbeitsweise in deinen Gesprächen wieder: ich suche vier oder mehr Werkzeuge"
    " in derselben Reihenfolge in drei beendeten Gesprächen.",
    "Aucune façon de travailler ne revient encore dans vos conversations : je cherche quatre outils"
    " ou plus dans le même ordre dans trois conversations terminées.",
    "Aún no se repite ninguna forma de trabajar en tus conversaciones: busco cuatro o más"
    " herramientas en el mismo orden en tres conversaciones acabadas.",
    "Nessun modo di lavorare si ripete ancora nelle tue conversazioni: cerco quattro o più"
    " strumenti nello stesso ordine in tre conversazioni finite.",
)
RECURS = Phrase(
    "This recurs in your conversations. I kept the order of the tools, and nothing you said:",
    "Das kehrt in deinen Gesprächen wieder. Ich habe mir die Reihenfolge der Werkzeuge gemerkt und"
    " nichts, was du gesagt hast:",
    "Ceci revient dans vos conversations. J'ai gardé l'ordre des outils, et rien de ce que vous"
    " avez dit :",
    "Esto se repite en tus conversaciones. Guardé el orden de las herramientas y nada de lo que"
    " dijiste:",
    "Questo si ripete nelle tue conversazioni. Ho tenuto l'ordine degli strumenti e nulla di ciò"
    " che hai detto:",
)
TIMES = CountedPhrase(
    Phrase("{count} time", "{count}-mal", "{count} fois", "{count} vez", "{count} volta"),
    Phrase("{count} times", "{count}-mal", "{count} fois", "{count} veces", "{count} volte"),
)
MAKE_ONE = Phrase(
    "`/skill found NUMBER NAME` makes one a skill of your own, which nobody else sees.",
    "`/skill found NUMMER NAME` macht daraus einen eigenen Skill, den sonst niemand sieht.",
    "`/skill found NUMÉRO NOM` en fait une compétence à vous, que personne d'autre ne voit.",
    "`/skill found NÚMERO NOMBRE` hace de una una habilidad tuya, que nadie más ve.",
    "`/skill found NUMERO NOME` ne fa un'abilità tua, che nessun altro vede.",
)
SAY_NAME = Phrase(
    "Say what it is called: `/skill found {number} NAME`.",
    "Sag, wie er heißt: `/skill found {number} NAME`.",
    "Dites son nom : `/skill found {number} NOM`.",
    "Di cómo se llama: `/skill found {number} NOMBRE`.",
    "Dimmi come si chiama: `/skill found {number} NOME`.",
)
NOT_SAVED = Phrase(
    "Nothing was saved. This is what you wrote:",
    "Nichts wurde gespeichert. Das hast du geschrieben:",
    "Rien n'a été enregistré. Voici ce que vous avez écrit :",
    "No se guardó nada. Esto es lo que escribiste:",
    "Non è stato salvato nulla. Ecco che cosa hai scritto:",
)
ASKS_NAME = Phrase(
    "What is the new skill called? Such as weekly_report. (Or: cancel)",
    "Wie heißt der neue Skill? Etwa weekly_report. (Oder: abbrechen)",
    "Comment s'appelle la nouvelle compétence ? Par exemple weekly_report. (Ou : annuler)",
    "¿Cómo se llama la nueva habilidad? Por ejemplo weekly_report. (O: cancelar)",
    "Come si chiama la nuova abilità? Per esempio weekly_report. (Oppure: annulla)",
)
ASKS_STEPS = Phrase(
    "What should I do for /{name}? Write the steps. (Or: cancel)",
    "Was soll ich bei /{name} tun? Schreib die Schritte. (Oder: abbrechen)",
    "Que dois-je faire pour /{name} ? Écrivez les étapes. (Ou : annuler)",
    "¿Qué debo hacer con /{name}? Escribe los pasos. (O: cancelar)",
    "Che cosa devo fare per /{name}? Scrivi i passi. (Oppure: annulla)",
)
ASKS_WHEN = Phrase(
    "When should I use it by myself? Say it in a sentence, or *no* if only the command starts it."
    " (Or: cancel)",
    "Wann soll ich ihn von selbst nutzen? Sag es in einem Satz, oder *nein*, wenn nur der Befehl"
    " ihn startet. (Oder: abbrechen)",
    "Quand dois-je m'en servir moi-même ? Dites-le en une phrase, ou *non* si seule la commande la"
    " lance. (Ou : annuler)",
    "¿Cuándo debo usarla por mi cuenta? Dilo en una frase, o *no* si solo la inicia el comando."
    " (O: cancelar)",
    "Quando devo usarla da solo? Dillo in una frase, o *no* se la avvia solo il comando. (Oppure:"
    " annulla)",
)
LEFT = Phrase(
    "All right, I left it as it was.",
    "Gut, ich habe alles gelassen, wie es war.",
    "D'accord, je n'ai rien changé.",
    "De acuerdo, lo dejé como estaba.",
    "Va bene, ho lasciato tutto com'era.",
)
ANSWER_FIRST = Phrase(
    "I am waiting for your answer; answer first, or /stop, then /{name}.",
    "Ich warte auf deine Antwort; antworte zuerst, oder /stop, dann /{name}.",
    "J'attends votre réponse ; répondez d'abord, ou /stop, puis /{name}.",
    "Espero tu respuesta; responde primero, o /stop, y luego /{name}.",
    "Aspetto la tua risposta; rispondi prima, o /stop, poi /{name}.",
)

NONE_FOR_YOU = Phrase(
    "There is no skill here for you.",
    "Hier gibt es keinen Skill für dich.",
    "Il n'y a pas de compétence pour vous ici.",
    "Aquí no hay ninguna habilidad para ti.",
    "Qui non c'è nessuna abilità per te.",
)
NO_FAMILY = Phrase(
    "There is no family '{name}'; there are: {names}.",
    "Eine Familie „{name}“ gibt es nicht; es gibt: {names}.",
    "Il n'y a pas de famille « {name} » ; il y a : {names}.",
    "No hay ninguna familia «{name}»; hay: {names}.",
    "Non c'è una famiglia «{name}»; ci sono: {names}.",
)
SKILLS = Phrase("Skills", "Skills", "Compétences", "Habilidades", "Abilità")
HOW = Phrase(
    "Say what you want in your own words, or run one with `/skill NAME`.",
    "Sag mit deinen Worten, was du willst, oder führ einen mit `/skill NAME` aus.",
    "Dites avec vos mots ce que vous voulez, ou lancez-en une avec `/skill NOM`.",
    "Di con tus palabras qué quieres, o ejecuta una con `/skill NOMBRE`.",
    "Di' con parole tue che cosa vuoi, o eseguine una con `/skill NOME`.",
)
IMPORTS = Phrase(
    "`/skills import` with a file attached stages what is in it. `/skills staged [NAME]` shows what"
    " waits, with its findings. `/skills approve NAME [accept-findings]` makes it live,"
    " `/skills reject NAME` deletes it, `/skills remove NAME` removes a live imported skill,"
    " `/skills promote NAME` makes a skill of a playbook candidate.",
    "`/skills import` mit einer angehängten Datei stellt bereit, was darin ist."
    " `/skills staged [NAME]` zeigt, was wartet, mit den Befunden."
    " `/skills approve NAME [accept-findings]` schaltet es frei, `/skills reject NAME` löscht es,"
    " `/skills remove NAME` entfernt einen importierten Skill, `/skills promote NAME` macht aus"
    " einem Playbook-Vorschlag einen Skill.",
    "`/skills import` avec un fichier joint prépare ce qu'il contient. `/skills staged [NOM]`"
    " montre ce qui attend, avec les constats. `/skills approve NOM [accept-findings]` le met"
    " en service, `/skills reject NOM` le supprime, `/skills remove NOM` retire une compétence"
    " importée, `/skills promote NOM` fait une compétence d'une proposition.",
    "`/skills import` con un archivo adjunto prepara lo que contiene. `/skills staged [NOMBRE]`"
    " muestra lo que espera, con los hallazgos. `/skills approve NOMBRE [accept-findings]` lo pone"
    " en uso, `/skills reject NOMBRE` lo borra, `/skills remove NOMBRE` quita una habilidad"
    " importada, `/skills promote NOMBRE` hace una habilidad de una propuesta.",
    "`/skills import` con un file allegato prepara ciò che contiene. `/skills staged [NOME]` mostra"
    " che cosa aspetta, con i rilievi. `/skills approve NOME [accept-findings]` lo mette in uso,"
    " `/skills reject NOME` lo cancella, `/skills remove NOME` toglie un'abilità importata,"
    " `/skills promote NOME` fa un'abilità di una proposta.",
)
IMPORTS_FOR_ADMINS = Phrase(
    "Importing skills is for a MasterAdmin. `/skills` shows what is here for you.",
    "Skills importiert ein MasterAdmin. `/skills` zeigt, was es hier für dich gibt.",
    "Importer des compétences revient à un MasterAdmin. `/skills` montre ce qu'il y a pour vous.",
    "Importar habilidades es cosa de un MasterAdmin. `/skills` muestra qué hay para ti.",
    "Importare abilità spetta a un MasterAdmin. `/skills` mostra che cosa c'è per te.",
)
OTHERS = Phrase("others", "andere", "autres", "otras", "altre")
FAMILIES: Mapping[str, Phrase] = {
    "team": Phrase(
        "teamwork", "Teamarbeit", "travail d'équipe", "trabajo en equipo", "lavoro di squadra"
    ),
    "community": Phrase("communities", "Communitys", "communautés", "comunidades", "comunità"),
    "writing": Phrase("writing", "Schreiben", "écriture", "escritura", "scrittura"),
    "code": Phrase("code", "Code", "code", "código", "codice"),
    "web": Phrase(
        "web development", "Webentwicklung", "développement web", "desarrollo web", "sviluppo web"
    ),
    "security": Phrase("security", "Sicherheit", "sécurité", "seguridad", "sicurezza"),
    "infra": Phrase(
        "infrastructure", "Infrastruktur", "infrastructure", "infraestructura", "infrastruttura"
    ),
    "data": Phrase("data", "Daten", "données", "datos", "dati"),
    "research": Phrase("research", "Recherche", "recherche", "investigación", "ricerca"),
    "sales": Phrase(
        "support and sales",
        "Support und Vertrieb",
        "assistance et ventes",
        "soporte y ventas",
        "assistenza e vendite",
    ),
    "personal": Phrase("daily life", "Alltag", "vie quotidienne", "vida diaria", "vita quotidiana"),
}


def family_title(family: str, language: Language) -> str:
    """What a family is called; one of a home's own is called as its skills say."""
    if not family:
        return OTHERS.said(language)
    known = FAMILIES.get(family)
    return known.said(language) if known is not None else title_of(family)


_SHIPPED = (
    Phrase(
        "Write somebody's standup.",
        "Jemandes Standup schreiben.",
        "Écrire le point quotidien de quelqu'un.",
        "Escribir el standup de alguien.",
        "Scrivere lo standup di qualcuno.",
    ),
    Phrase(
        "Sort a pile of todos or requests.",
        "Einen Stapel Aufgaben oder Anfragen sortieren.",
        "Trier une pile de tâches ou de demandes.",
        "Ordenar un montón de tareas o peticiones.",
        "Ordinare un mucchio di attività o richieste.",
    ),
)
_ABOUT = {phrase.en: phrase for phrase in _SHIPPED}


def about_command(description: str, language: Language) -> str:
    """What the command of a skill does; in a home's own words where it wrote some."""
    known = _ABOUT.get(description)
    return known.said(language) if known is not None else description


VERBS: Mapping[str, Phrase] = {
    "new": Phrase(
        "make a skill of your own",
        "einen eigenen Skill anlegen",
        "créer une compétence à vous",
        "crear una habilidad tuya",
        "creare un'abilità tua",
    ),
    "list": Phrase(
        "which skills are here for you",
        "welche Skills es hier für dich gibt",
        "quelles compétences il y a ici pour vous",
        "qué habilidades hay aquí para ti",
        "quali abilità ci sono qui per te",
    ),
    "show": Phrase(
        "what a skill says; its name is the task",
        "was in einem Skill steht; sein Name ist die Aufgabe",
        "ce que dit une compétence ; son nom est la tâche",
        "qué dice una habilidad; su nombre es la tarea",
        "che cosa dice un'abilità; il suo nome è il compito",
    ),
    "share": Phrase(
        "give a skill of yours to everybody here; its name is the task",
        "einen eigenen Skill allen hier geben; sein Name ist die Aufgabe",
        "donner une de vos compétences à tous ici ; son nom est la tâche",
        "dar una habilidad tuya a todos aquí; su nombre es la tarea",
        "dare una tua abilità a tutti qui; il suo nome è il compito",
    ),
    "remove": Phrase(
        "take a skill away; its name is the task",
        "einen Skill wegnehmen; sein Name ist die Aufgabe",
        "retirer une compétence ; son nom est la tâche",
        "quitar una habilidad; su nombre es la tarea",
        "togliere un'abilità; il suo nome è il compito",
    ),
}
"""What may stand behind `/skill` in place of a name."""
