"""What `/tools` and `/skills import` say beside what the desk says."""

from bot.domain.languages import Phrase

TOOLS_HOW = Phrase(
    "`/tools staged [NAME]` shows what waits, with its files and findings. `/tools approve NAME`"
    " makes live what you were shown, `/tools reject NAME` deletes it, `/tools remove NAME` removes"
    " a live one.",
    "`/tools staged [NAME]` zeigt, was wartet, mit Dateien und Befunden. `/tools approve NAME`"
    " schaltet frei, was dir gezeigt wurde, `/tools reject NAME` löscht es, `/tools remove NAME`"
    " entfernt eines in Betrieb.",
    "`/tools staged [NOM]` montre ce qui attend, avec fichiers et constats. `/tools approve NOM`"
    " met en service ce qui vous a été montré, `/tools reject NOM` le supprime, `/tools remove NOM`"
    " en retire un en service.",
    "`/tools staged [NOMBRE]` muestra lo que espera, con sus archivos y hallazgos."
    " `/tools approve NOMBRE` pone en uso lo que se te mostró, `/tools reject NOMBRE` lo borra,"
    " `/tools remove NOMBRE` quita una en uso.",
    "`/tools staged [NOME]` mostra che cosa aspetta, con file e rilievi. `/tools approve NOME`"
    " mette in uso ciò che ti è stato mostrato, `/tools reject NOME` lo cancella,"
    " `/tools remove NOME` ne toglie uno in uso.",
)
TOOLS_FOR_ADMINS = Phrase(
    "Deciding about tools is for a MasterAdmin. Ask me what I can do for you here.",
    "Über Werkzeuge entscheidet ein MasterAdmin. Frag mich, was ich hier für dich tun kann.",
    "Décider des outils revient à un MasterAdmin. Demandez-moi ce que je peux faire pour vous ici.",
    "Decidir sobre herramientas es cosa de un MasterAdmin. Pregúntame qué puedo hacer aquí por ti.",
    "Decidere degli strumenti spetta a un MasterAdmin. Chiedimi che cosa posso fare qui per te.",
)
ATTACH = Phrase(
    "Attach the skill to the message: a SKILL.md, another .md, a JSON export or a zip archive.",
    "Häng den Skill an die Nachricht an: eine SKILL.md, eine andere .md, einen JSON-Export oder ein"
    " Zip-Archiv.",
    "Joignez la compétence au message : un SKILL.md, un autre .md, un export JSON ou une archive"
    " zip.",
    "Adjunta la habilidad al mensaje: un SKILL.md, otro .md, una exportación JSON o un zip.",
    "Allega l'abilità al messaggio: un SKILL.md, un altro .md, un'esportazione JSON o un archivio"
    " zip.",
)
THEN_DECIDE = Phrase(
    "`/skills approve NAME` makes it live, `/skills reject NAME` deletes it.",
    "`/skills approve NAME` schaltet es frei, `/skills reject NAME` löscht es.",
    "`/skills approve NOM` le met en service, `/skills reject NOM` le supprime.",
    "`/skills approve NOMBRE` lo pone en uso, `/skills reject NOMBRE` lo borra.",
    "`/skills approve NOME` lo mette in uso, `/skills reject NOME` lo cancella.",
)
SHOWS_ALL = Phrase(
    "… (`bellhop skills staged` shows all)",
    "… (`bellhop skills staged` zeigt alles)",
    "… (`bellhop skills staged` montre tout)",
    "… (`bellhop skills staged` lo muestra todo)",
    "… (`bellhop skills staged` mostra tutto)",
)
NOT_SHOWN = Phrase(
    "{count} more characters are not shown here. `bellhop tools staged {name}` shows all, and"
    " `/tools approve {name} {content}` then makes exactly this live.",
    "{count} weitere Zeichen stehen nicht hier. `bellhop tools staged {name}` zeigt alles, und"
    " `/tools approve {name} {content}` schaltet dann genau das frei.",
    "{count} autres caractères ne sont pas montrés ici. `bellhop tools staged {name}` montre tout,"
    " et `/tools approve {name} {content}` met alors exactement cela en service.",
    "Aquí no se muestran {count} caracteres más. `bellhop tools staged {name}` lo muestra todo, y"
    " `/tools approve {name} {content}` pone en uso exactamente eso.",
    "Altri {count} caratteri non sono mostrati qui. `bellhop tools staged {name}` mostra tutto, e"
    " `/tools approve {name} {content}` mette in uso esattamente questo.",
)
WOULD_BE_LIVE = Phrase(
    "This is what would be live. `/tools approve {name}` makes it so.",
    "Das käme in Betrieb. `/tools approve {name}` macht es so.",
    "Voilà ce qui serait en service. `/tools approve {name}` le fait.",
    "Esto es lo que estaría en uso. `/tools approve {name}` lo hace.",
    "Questo sarebbe in uso. `/tools approve {name}` lo fa.",
)
DELETED = Phrase(
    "{name} was deleted.",
    "{name} ist gelöscht.",
    "{name} est supprimé.",
    "{name} se ha borrado.",
    "{name} è cancellato.",
)
NOT_LIVE_ANY_MORE = Phrase(
    "{name} is not live any more.",
    "{name} ist nicht mehr in Betrieb.",
    "{name} n'est plus en service.",
    "{name} ya no está en uso.",
    "{name} non è più in uso.",
)
