"""A summary as a few lines for a model."""

from bot.domain.summaries import ConversationSummary

CHARS = 1_500


def in_words(summary: ConversationSummary) -> str:
    """The time, the request, the result and open points; at most CHARS characters."""
    fields = summary.fields
    lines = [
        f"{summary.ended_at:%Y-%m-%d} ({fields.outcome}): {fields.intent}",
        *_line("Heard", fields.wih),
        *_line("Said", fields.wis),
        *_line("Done", fields.wid),
        *_line("Open", fields.follow_up),
    ]
    text = "\n".join(lines)
    return text if len(text) <= CHARS else f"{text[: CHARS - 1]}…"


def _line(label: str, text: str) -> list[str]:
    return [f"{label}: {text}"] if text else []
