"""The words of the form of `/skill new`."""

from bot.domain.languages import Phrase

TITLE = Phrase(
    "A new skill",
    "Ein neuer Skill",
    "Une nouvelle compétence",
    "Una habilidad nueva",
    "Una nuova abilità",
)
NAME = Phrase("Name", "Name", "Nom", "Nombre", "Nome")
NAME_HINT = Phrase(
    "Such as weekly_report",
    "Etwa wochenbericht",
    "Comme rapport_hebdo",
    "Como informe_semanal",
    "Come rapporto_settimanale",
)
STEPS = Phrase("What to do", "Was zu tun ist", "Que faire", "Qué hay que hacer", "Che cosa fare")
STEPS_HINT = Phrase(
    "The steps, one a line",
    "Die Schritte, einer je Zeile",
    "Les étapes, une par ligne",
    "Los pasos, uno por línea",
    "I passaggi, uno per riga",
)
COMMAND = Phrase("Command", "Befehl", "Commande", "Comando", "Comando")
COMMAND_HINT = Phrase(
    "What follows the slash; nothing: the name",
    "Was hinter dem Schrägstrich steht; nichts: der Name",
    "Ce qui suit la barre oblique ; rien : le nom",
    "Lo que sigue a la barra; nada: el nombre",
    "Ciò che segue la barra; niente: il nome",
)
WHEN = Phrase(
    "When to use it", "Wann er dran ist", "Quand l'employer", "Cuándo usarla", "Quando usarla"
)
WHEN_HINT = Phrase(
    "A sentence; needed where it is used by itself",
    "Ein Satz; nötig, wenn ich ihn von selbst verwende",
    "Une phrase ; nécessaire si je l'emploie de moi-même",
    "Una frase; hace falta si la uso por mi cuenta",
    "Una frase; serve se la uso di mia iniziativa",
)
BY_MYSELF = Phrase(
    "May I use it by myself?",
    "Darf ich ihn von selbst verwenden?",
    "Puis-je l'employer de moi-même ?",
    "¿Puedo usarla por mi cuenta?",
    "Posso usarla di mia iniziativa?",
)
BY_MYSELF_HINT = Phrase(
    "no: only the command runs it",
    "Nein: nur der Befehl führt ihn aus",
    "Non : seule la commande la lance",
    "No: solo la ejecuta el comando",
    "No: la esegue solo il comando",
)
NO = Phrase("no", "Nein", "Non", "No", "No")
YES = Phrase("yes", "Ja", "Oui", "Sí", "Sì")
