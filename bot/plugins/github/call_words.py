"""What calls of `github_issues` do, as cards say it."""

from bot.plugin.tools import Phrase

OPEN = Phrase(
    "open an issue in {repo}: {title}",
    "ein Issue in {repo} anlegen: {title}",
    "ouvrir un ticket dans {repo} : {title}",
    "abrir una incidencia en {repo}: {title}",
    "aprire una segnalazione in {repo}: {title}",
)
COMMENT = Phrase(
    "comment on issue {number} of {repo}: {body}",
    "das Issue {number} von {repo} kommentieren: {body}",
    "commenter le ticket {number} de {repo} : {body}",
    "comentar la incidencia {number} de {repo}: {body}",
    "commentare la segnalazione {number} di {repo}: {body}",
)
CLOSE = Phrase(
    "close issue {number} of {repo}",
    "das Issue {number} von {repo} schließen",
    "fermer le ticket {number} de {repo}",
    "cerrar la incidencia {number} de {repo}",
    "chiudere la segnalazione {number} di {repo}",
)
REOPEN = Phrase(
    "reopen issue {number} of {repo}",
    "das Issue {number} von {repo} wieder öffnen",
    "rouvrir le ticket {number} de {repo}",
    "reabrir la incidencia {number} de {repo}",
    "riaprire la segnalazione {number} di {repo}",
)
