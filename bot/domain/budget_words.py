"""Budgets and their amounts as people read them."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

MODEL_CALLS = CountedPhrase(
    Phrase(
        "{count} model call",
        "{count} Modellaufruf",
        "{count} appel au modèle",
        "{count} llamada al modelo",
        "{count} chiamata al modello",
    ),
    Phrase(
        "{count} model calls",
        "{count} Modellaufrufe",
        "{count} appels au modèle",
        "{count} llamadas al modelo",
        "{count} chiamate al modello",
    ),
)
TOOL_CALLS = CountedPhrase(
    Phrase(
        "{count} tool call",
        "{count} Werkzeugaufruf",
        "{count} appel d'outil",
        "{count} llamada a herramienta",
        "{count} chiamata a strumenti",
    ),
    Phrase(
        "{count} tool calls",
        "{count} Werkzeugaufrufe",
        "{count} appels d'outils",
        "{count} llamadas a herramientas",
        "{count} chiamate a strumenti",
    ),
)
RAISE = Phrase(
    "use {more} more of {budget} for {of} on {day}",
    "{more} mehr von {budget} für {of} am {day} verbrauchen",
    "utiliser {more} de plus de {budget} pour {of} le {day}",
    "usar {more} más de {budget} para {of} el {day}",
    "usare {more} in più di {budget} per {of} il {day}",
)
"""What a yes to the question for more of a used-up budget lets somebody do."""
WHOSE: Mapping[str, Phrase] = {
    "per_turn": Phrase(
        "the budget of {text} for one request",
        "das Budget von {text} für eine Anfrage",
        "le budget de {text} pour une demande",
        "el presupuesto de {text} para una petición",
        "il budget di {text} per una richiesta",
    ),
    "per_person_day": Phrase(
        "today's budget of {text} for you",
        "dein heutiges Budget von {text}",
        "votre budget du jour, {text},",
        "tu presupuesto de hoy, de {text},",
        "il tuo budget di oggi, {text},",
    ),
    "per_channel_day": Phrase(
        "today's budget of {text} for this channel",
        "das heutige Budget von {text} für diesen Kanal",
        "le budget du jour de {text} pour ce canal",
        "el presupuesto de hoy de {text} para este canal",
        "il budget di oggi di {text} per questo canale",
    ),
    "per_guest_day": Phrase(
        "today's budget of {text} for you as a guest",
        "dein heutiges Budget von {text} als Gast",
        "votre budget du jour de {text} comme invité",
        "tu presupuesto de hoy de {text} como invitado",
        "il tuo budget di oggi di {text} come ospite",
    ),
    "strangers_day": Phrase(
        "today's budget of {text} for all guests I don't know",
        "das heutige Budget von {text} für alle Gäste, die ich nicht kenne",
        "le budget du jour de {text} pour tous les invités que je ne connais pas",
        "el presupuesto de hoy de {text} para todos los invitados que no conozco",
        "il budget di oggi di {text} per tutti gli ospiti che non conosco",
    ),
    "total_day": Phrase(
        "today's budget of {text} for everybody",
        "das heutige Budget von {text} für alle",
        "le budget du jour de {text} pour tous",
        "el presupuesto de hoy de {text} para todos",
        "il budget di oggi di {text} per tutti",
    ),
    "per_schedule_month": Phrase(
        "this month's budget of {text} for this schedule",
        "das Budget dieses Monats von {text} für diesen Zeitplan",
        "le budget de ce mois de {text} pour cette planification",
        "el presupuesto de este mes de {text} para esta programación",
        "il budget di questo mese di {text} per questa pianificazione",
    ),
}
"""Which budget it is, by its span; `text` is its amount."""

BUDGETS = (
    *WHOSE.values(),
    *(phrase for one in (MODEL_CALLS, TOOL_CALLS) for phrase in (one.one, one.many)),
)
"""All of these, to tell English sentences with budgets in them anew."""
