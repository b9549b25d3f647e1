"""What calls of `manage_todos` do, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

CREATE = Phrase(
    "put the todo {title} on their list{due}",
    "die Aufgabe {title} auf die eigene Liste setzen{due}",
    "mettre la tâche {title} sur sa liste{due}",
    "poner la tarea {title} en su lista{due}",
    "mettere l'attività {title} nella propria lista{due}",
)
DUE = Phrase(
    ", due {when}", ", fällig {when}", ", échéance {when}", ", para {when}", ", scadenza {when}"
)
CHANGES: Mapping[str, Phrase] = {
    "update": Phrase(
        "change the todo {title}{due}",
        "die Aufgabe {title} ändern{due}",
        "modifier la tâche {title}{due}",
        "cambiar la tarea {title}{due}",
        "modificare l'attività {title}{due}",
    ),
    "complete": Phrase(
        "complete the todo {title}{due}",
        "die Aufgabe {title} abhaken{due}",
        "terminer la tâche {title}{due}",
        "completar la tarea {title}{due}",
        "completare l'attività {title}{due}",
    ),
    "dismiss": Phrase(
        "dismiss the todo {title}{due}",
        "die Aufgabe {title} verwerfen{due}",
        "écarter la tâche {title}{due}",
        "descartar la tarea {title}{due}",
        "scartare l'attività {title}{due}",
    ),
    "delete": Phrase(
        "delete the todo {title}{due}",
        "die Aufgabe {title} löschen{due}",
        "supprimer la tâche {title}{due}",
        "borrar la tarea {title}{due}",
        "cancellare l'attività {title}{due}",
    ),
    "list": Phrase(
        "list the todo {title}{due}",
        "die Aufgabe {title} zeigen{due}",
        "montrer la tâche {title}{due}",
        "mostrar la tarea {title}{due}",
        "mostrare l'attività {title}{due}",
    ),
}
"""By what is done with a todo that exists."""
