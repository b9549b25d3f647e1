"""The time, here or elsewhere, and sums."""

import re
from datetime import datetime

from bot.plugins.offline_model.phrases import plain, unquote
from bot.plugins.offline_model.script import Script, need

_TIME = re.compile(
    r"^(?:what(?:'s| "
    r"is)?\s+(?:the\s+)?(?:current\s+)?(?:local\s+)?(?:time|date|day)(?:\s+(?:is\s+it|today|now))*"
    r"|(?:tell me|give me|show me|do you have)?\s*(?:the\s+)?(?:current\s+)?time|what time (?:is it"
    r"|do you have|do we have)"
    r"|what(?:'s| is) today(?:'s date)?|what day (?:is it|is today)|how late is it|which (?:day"
    r"|date) is (?:it|today))"
    r"(?:\s+(?:is it|now|today|right "
    r"now|please))*(?:\s+(?:in|at|for)\s+(?P<place>.+?))?(?:\s+(?:now"
    r"|right now|today))*$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:what(?:'s| is| are| do you get for)|how much (?:is|are)|calculate|compute|work "
    r"out|evaluate|solve"
    r"|sum|sum up|add up|add)\s*:?\s+|^=\s*",
    re.IGNORECASE,
)
_WORDS = [
    (r"\bhalf of\b", "0.5 *"),
    (r"\b(?:the )?square root of\s+([\d.]+)", r"sqrt(\1)"),
    (r"\bto the power of\b|\*\*|\^", "**"),
    (r"\bsquared\b", "** 2"),
    (r"\bcubed\b", "** 3"),
    (r"\b(?:multiplied by|times)\b", "*"),
    (r"(?<=\d)\s*[x\u00d7]\s*(?=[\d(.])", " * "),
    (r"\bdivided by\b|÷", "/"),
    (r"\bplus\b|\band\b", "+"),
    (r"\bminus\b|\bless\b|\u2212", "-"),
    (r"\s*\bper ?cent\b|\s*\bpercent\b", "%"),
    (r"([\d.]+)\s*%\s*off\s+([\d.]+)", r"\2 * (1 - \1/100)"),
]
_SUM = re.compile(
    r"(?:[\d\s.+\-*/%()!]|\bof\b|\b(?:sqrt|round|abs|min|max|log|ln|sin|cos|tan|pi|mean|sum)\b"
    r"|(?<=\d),\s)+"
)
_OPERATOR = re.compile(r"[+*/%]|\d\s*-|\*\*|\bof\b|[a-z]\(")


def match(text: str, now: datetime) -> Script | None:
    """The script for a question about time or numbers, or None."""
    wish = plain(text)
    if found := _TIME.match(wish):
        return _time(unquote(found["place"] or ""))
    expression = to_expression(_LEAD.sub("", wish))
    return _sum(expression) if expression else None


def to_expression(text: str) -> str:
    """A sum in words as an expression, or empty when it is none."""
    expression = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.strip().rstrip("=? "))
    for pattern, replacement in _WORDS:
        expression = re.sub(pattern, replacement, expression, flags=re.IGNORECASE)
    expression = re.sub(r"\s+", " ", expression).strip()
    fits = (
        _SUM.fullmatch(expression) and _OPERATOR.search(expression) and re.search(r"\d", expression)
    )
    # A date or a phone number is not a sum.
    return (
        expression
        if fits and not re.fullmatch(r"\d{4}-\d\d-\d\d|[\d+][\d\s-]{6,}\d", expression)
        else ""
    )


def _time(place: str) -> Script:
    outcome = yield from need("current_time", **({"timezone": place} if place else {}))
    told = outcome.object
    try:
        moment = datetime.fromisoformat(str(told.get("local")))
    except ValueError:
        return outcome.text
    where = f" in {place}" if place else ""
    day = f"{moment:%A}, {moment.day} {moment:%B %Y}"
    return f"It is {moment:%H:%M}{where} on {day} ({told.get('timezone') or moment.tzname()})."


def _sum(expression: str) -> Script:
    outcome = yield from need("calculate", expression=expression)
    told = outcome.object
    result = (
        told.get("result") if told else outcome.data if outcome.data is not None else outcome.text
    )
    return f"{expression} {'≈' if told.get('rounded') else '='} **{result}**"
