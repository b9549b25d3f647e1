"""The fence around text of others, which it can neither close nor open (docs/rules.md#trust)."""

from bot.domain.origins import Origin

_OPEN = "<quoted"
_CLOSE = "</quoted>"


def fenced(kind: str, text: str, origin: Origin) -> str:
    """The text with its origin. `kind` names it: `messages`, `facts`, `preferences`, `file`."""
    return f'{_OPEN} kind="{kind}" from="{_attribute(origin.source)}">\n{escape(text)}\n{_CLOSE}'


def escape(text: str) -> str:
    """Keep quoted text from closing or opening a fence, or from posing as a system note."""
    for tag in ("quoted", "system-note"):
        for opening in (f"<{tag}", f"</{tag}"):
            text = _replace_ignoring_case(text, opening, opening.replace("<", "&lt;"))
    return text


def _attribute(text: str) -> str:
    return (
        " ".join(text.split())
        .replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")[:120]
    )


def _replace_ignoring_case(text: str, wanted: str, replacement: str) -> str:
    lowered, start, parts = text.casefold(), 0, list[str]()
    if len(lowered) != len(text):  # a few characters fold to two; in that case fold only ASCII
        lowered = "".join(char.lower() if char.isascii() else char for char in text)
    while (found := lowered.find(wanted, start)) >= 0:
        parts += [text[start:found], replacement]
        start = found + len(wanted)
    return "".join([*parts, text[start:]])
