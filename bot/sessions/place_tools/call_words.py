"""What calls about events of a server and posts of a forum do, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

MAKE_EVENT = Phrase(
    "have the event {name} made for everybody in this server: {when}, until {end}, {where}",
    "das Event {name} für alle auf diesem Server anlegen: {when}, bis {end}, {where}",
    "créer l'événement {name} pour tous sur ce serveur : {when}, jusqu'à {end}, {where}",
    "crear el evento {name} para todos en este servidor: {when}, hasta {end}, {where}",
    "creare l'evento {name} per tutti su questo server: {when}, fino a {end}, {where}",
)
CANCEL_EVENT = Phrase(
    "have the event {name} of {when} cancelled for everybody",
    "das Event {name} ({when}) für alle absagen",
    "annuler pour tous l'événement {name} ({when})",
    "cancelar para todos el evento {name} ({when})",
    "annullare per tutti l'evento {name} ({when})",
)
NO_TAGS = Phrase("no tags", "keine Tags", "sans tags", "sin etiquetas", "nessun tag")
SOLVE_LOCKED = Phrase(
    "have the post {title} marked as solved ({tags}, locked)",
    "den Beitrag {title} als gelöst markieren ({tags}, gesperrt)",
    "marquer le sujet {title} comme résolu ({tags}, verrouillé)",
    "marcar la publicación {title} como resuelta ({tags}, cerrada)",
    "segnare il post {title} come risolto ({tags}, bloccato)",
)
POSTS: Mapping[str, Phrase] = {
    "solve": Phrase(
        "have the post {title} marked as solved ({tags})",
        "den Beitrag {title} als gelöst markieren ({tags})",
        "marquer le sujet {title} comme résolu ({tags})",
        "marcar la publicación {title} como resuelta ({tags})",
        "segnare il post {title} come risolto ({tags})",
    ),
    "reopen": Phrase(
        "have the post {title} opened again ({tags})",
        "den Beitrag {title} wieder öffnen ({tags})",
        "rouvrir le sujet {title} ({tags})",
        "reabrir la publicación {title} ({tags})",
        "riaprire il post {title} ({tags})",
    ),
    "tag": Phrase(
        "have the post {title} tagged: {tags}",
        "dem Beitrag {title} Tags geben: {tags}",
        "mettre des tags au sujet {title} : {tags}",
        "poner etiquetas a la publicación {title}: {tags}",
        "mettere tag al post {title}: {tags}",
    ),
}
"""By what is done with a post."""
