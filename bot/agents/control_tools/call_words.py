"""What calls of `send` and `schedule_task` do, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

POST = Phrase(
    "have this posted to {to}: {text}",
    "das an {to} schicken: {text}",
    "envoyer ceci à {to} : {text}",
    "enviar esto a {to}: {text}",
    "mandare questo a {to}: {text}",
)
POST_FILE = Phrase(
    "have this posted to {to} with the file {file}: {text}",
    "das mit der Datei {file} an {to} schicken: {text}",
    "envoyer ceci à {to} avec le fichier {file} : {text}",
    "enviar esto a {to} con el archivo {file}: {text}",
    "mandare questo a {to} con il file {file}: {text}",
)
AGAIN = Phrase(
    "have this done again and again, {repeat}, first on {at}: {what}",
    "das immer wieder erledigen, {repeat}, zum ersten Mal {at}: {what}",
    "faire ceci régulièrement, {repeat}, la première fois {at} : {what}",
    "hacer esto una y otra vez, {repeat}, la primera vez {at}: {what}",
    "fare questo di continuo, {repeat}, la prima volta {at}: {what}",
)
ONCE = Phrase(
    "have this done once, on {at}: {what}",
    "das einmal erledigen, {at}: {what}",
    "faire ceci une fois, {at} : {what}",
    "hacer esto una vez, {at}: {what}",
    "fare questo una volta, {at}: {what}",
)
CHANGES: Mapping[str, Phrase] = {
    "list": Phrase(
        "list the schedule {name}: {what}",
        "den Zeitplan {name} zeigen: {what}",
        "montrer la planification {name} : {what}",
        "mostrar la programación {name}: {what}",
        "mostrare la pianificazione {name}: {what}",
    ),
    "inspect": Phrase(
        "inspect the schedule {name}: {what}",
        "den Zeitplan {name} ansehen: {what}",
        "examiner la planification {name} : {what}",
        "examinar la programación {name}: {what}",
        "esaminare la pianificazione {name}: {what}",
    ),
    "pause": Phrase(
        "pause the schedule {name}: {what}",
        "den Zeitplan {name} pausieren: {what}",
        "mettre en pause la planification {name} : {what}",
        "pausar la programación {name}: {what}",
        "mettere in pausa la pianificazione {name}: {what}",
    ),
    "resume": Phrase(
        "resume the schedule {name}: {what}",
        "den Zeitplan {name} fortsetzen: {what}",
        "reprendre la planification {name} : {what}",
        "reanudar la programación {name}: {what}",
        "riprendere la pianificazione {name}: {what}",
    ),
    "cancel": Phrase(
        "cancel the schedule {name}: {what}",
        "den Zeitplan {name} beenden: {what}",
        "annuler la planification {name} : {what}",
        "cancelar la programación {name}: {what}",
        "annullare la pianificazione {name}: {what}",
    ),
}
"""By what is done with a schedule."""
