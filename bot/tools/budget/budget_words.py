"""Amounts of a budget as people read them."""

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
