"""What the adapter says by itself, beside what it is given to say."""

from bot.plugin.drawing import Phrase

NOT_RECORDED = Phrase(
    "I could not record your message just now. Please send it again in a while.",
    "Ich konnte deine Nachricht gerade nicht aufnehmen. Schick sie bitte bald noch einmal.",
    "Je n'ai pas pu enregistrer votre message à l'instant. Renvoyez-le dans un moment.",
    "No pude registrar tu mensaje ahora mismo. Envíalo otra vez dentro de un rato.",
    "Ora non ho potuto registrare il tuo messaggio. Mandalo di nuovo tra un po'.",
)
REST_IN_FILE = Phrase(
    "{count} more characters are not shown here. *The whole answer is in the file.*",
    "{count} weitere Zeichen stehen nicht hier. *Die ganze Antwort ist in der Datei.*",
    "{count} autres caractères ne sont pas montrés ici. *La réponse entière est dans le fichier.*",
    "Aquí no se muestran {count} caracteres más. *La respuesta entera está en el archivo.*",
    "Altri {count} caratteri non sono mostrati qui. *La risposta intera è nel file.*",
)
NOTHING_TO_SAY = Phrase(
    "(There is nothing to say.)",
    "(Es gibt nichts zu sagen.)",
    "(Il n'y a rien à dire.)",
    "(No hay nada que decir.)",
    "(Non c'è nulla da dire.)",
)
FILE_GONE = Phrase(
    "(The file {name} is no longer stored.)",
    "(Die Datei {name} ist nicht mehr gespeichert.)",
    "(Le fichier {name} n'est plus conservé.)",
    "(El archivo {name} ya no está guardado.)",
    "(Il file {name} non è più conservato.)",
)
FILE_TOO_LARGE = Phrase(
    "(The file {name} has {size} MB; Discord takes up to {most} MB.)",
    "(Die Datei {name} hat {size} MB; Discord nimmt höchstens {most} MB.)",
    "(Le fichier {name} fait {size} Mo ; Discord en prend {most} au plus.)",
    "(El archivo {name} tiene {size} MB; Discord admite hasta {most} MB.)",
    "(Il file {name} ha {size} MB; Discord ne accetta al massimo {most}.)",
)

QUESTION = Phrase(
    "What you want to know",
    "Was du wissen willst",
    "Ce que vous voulez savoir",
    "Qué quieres saber",
    "Che cosa vuoi sapere",
)
REFERENCE = Phrase(
    "A reference; without one your last message",
    "Eine Referenz; ohne sie deine letzte Nachricht",
    "Une référence ; sinon votre dernier message",
    "Una referencia; sin ella, tu último mensaje",
    "Un riferimento; senza, il tuo ultimo messaggio",
)
APPROVAL = Phrase(
    "The reference on the approval",
    "Die Referenz auf der Freigabe",
    "La référence sur l'approbation",
    "La referencia de la aprobación",
    "Il riferimento sull'approvazione",
)
REVOKE = Phrase(
    "revoke and its reference",
    "revoke und die Referenz",
    "revoke et sa référence",
    "revoke y su referencia",
    "revoke e il suo riferimento",
)
FAMILY = Phrase(
    "A family; for MasterAdmins: import, staged, approve, reject, remove, and a name",
    "Eine Familie; für MasterAdmins: import, staged, approve, reject, remove und ein Name",
    "Une famille ; pour MasterAdmins : import, staged, approve, reject, remove et un nom",
    "Una familia; para MasterAdmins: import, staged, approve, reject, remove y un nombre",
    "Una famiglia; per MasterAdmin: import, staged, approve, reject, remove e un nome",
)
SKILL_OR = Phrase(
    "A skill, or: new, list, show, share, remove",
    "Ein Skill oder: new, list, show, share, remove",
    "Une compétence, ou : new, list, show, share, remove",
    "Una habilidad, o: new, list, show, share, remove",
    "Un'abilità, oppure: new, list, show, share, remove",
)
TASK_OR_NAME = Phrase(
    "What it is to do; for show, share and remove the skill's name",
    "Was er tun soll; bei show, share und remove der Name des Skills",
    "Ce qu'elle doit faire ; pour show, share et remove, le nom de la compétence",
    "Qué debe hacer; con show, share y remove, el nombre de la habilidad",
    "Che cosa deve fare; con show, share e remove, il nome dell'abilità",
)
TASK = Phrase(
    "What it is to do",
    "Was er tun soll",
    "Ce qu'elle doit faire",
    "Qué debe hacer",
    "Che cosa deve fare",
)
