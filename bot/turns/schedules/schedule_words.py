"""Schedules as people read them."""

from bot.domain.languages import Phrase

PAUSED = Phrase(
    "paused",
    "pausiert",
    "en pause",
    "en pausa",
    "in pausa",
)
PAUSED_WHY = Phrase(
    "paused ({why})",
    "pausiert ({why})",
    "en pause ({why})",
    "en pausa ({why})",
    "in pausa ({why})",
)
BY = Phrase(
    "by {person}",
    "von {person}",
    "par {person}",
    "por {person}",
    "da {person}",
)
FOR = Phrase(
    "for {person}",
    "für {person}",
    "pour {person}",
    "para {person}",
    "per {person}",
)
WHEN = Phrase(
    "when: {when}",
    "wann: {when}",
    "quand : {when}",
    "cuándo: {when}",
    "quando: {when}",
)
NEXT = Phrase(
    "next: {when}",
    "als Nächstes: {when}",
    "prochaine fois : {when}",
    "próxima vez: {when}",
    "prossima volta: {when}",
)
LISTED = Phrase(
    "{when}; next {next}",
    "{when}; als Nächstes {next}",
    "{when} ; prochaine fois {next}",
    "{when}; próxima vez {next}",
    "{when}; prossima volta {next}",
)
DOES = Phrase(
    "does: {what}",
    "tut: {what}",
    "fait : {what}",
    "hace: {what}",
    "fa: {what}",
)
NOTHING = Phrase(
    "Nothing is scheduled.",
    "Es ist nichts geplant.",
    "Rien n'est planifié.",
    "No hay nada programado.",
    "Non c'è nulla di pianificato.",
)
NOT_DUE_YET = Phrase(
    "It has not come due yet.",
    "Es war noch nicht dran.",
    "Ce n'était pas encore l'heure.",
    "Aún no le ha tocado.",
    "Non è ancora toccato.",
)
ONCE = Phrase(
    "once",
    "einmal",
    "une fois",
    "una vez",
    "una volta",
)
CRON = Phrase(
    "cron {cron}",
    "Cron {cron}",
    "cron {cron}",
    "cron {cron}",
    "cron {cron}",
)
NEVER = Phrase(
    "never: it is over",
    "nie: es ist vorbei",
    "jamais : c'est terminé",
    "nunca: ya terminó",
    "mai: è finito",
)
DONE = Phrase(
    "done",
    "erledigt",
    "fait",
    "hecho",
    "fatto",
)
FAILED = Phrase(
    "failed",
    "misslungen",
    "échoué",
    "falló",
    "non riuscito",
)
SKIPPED = Phrase(
    "skipped",
    "ausgelassen",
    "sauté",
    "omitido",
    "saltato",
)
CLAIMED = Phrase(
    "claimed",
    "angenommen",
    "pris en charge",
    "aceptado",
    "preso in carico",
)
RUNNING = Phrase(
    "running",
    "läuft",
    "en cours",
    "en marcha",
    "in corso",
)
STOPPED = Phrase(
    "stopped",
    "angehalten",
    "arrêté",
    "parado",
    "fermato",
)
FOLDED = Phrase(
    "folded",
    "mit einem späteren Mal zusammengefasst",
    "regroupé avec un plus récent",
    "agrupado con uno posterior",
    "unito a uno successivo",
)
LATE = Phrase(
    "began {span} late",
    "begann {span} zu spät",
    "commencé avec {span} de retard",
    "empezó con {span} de retraso",
    "iniziato con {span} di ritardo",
)
ON_TIME = Phrase(
    "began on time",
    "begann pünktlich",
    "commencé à l'heure",
    "empezó a tiempo",
    "iniziato in orario",
)
POSTED = Phrase(
    "answer posted",
    "Antwort gepostet",
    "réponse publiée",
    "respuesta publicada",
    "risposta pubblicata",
)
NOT_POSTED = Phrase(
    "answer not posted yet",
    "Antwort noch nicht gepostet",
    "réponse pas encore publiée",
    "respuesta aún no publicada",
    "risposta non ancora pubblicata",
)
SILENT = Phrase(
    "nothing to say",
    "nichts zu sagen",
    "rien à dire",
    "nada que decir",
    "niente da dire",
)
