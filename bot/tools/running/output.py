"""Makes a tool's output fit for a request: valid text of bounded size."""

from dataclasses import replace

from bot.domain.tool_outcomes import ToolResult
from bot.log import redact_secrets

EMPTY = "(no output)"
ERROR = "ERROR: "
_HEAD_SHARE = 0.75


def error_result(text: str) -> ToolResult:
    """A failed call, as the model sees it."""
    return ToolResult(ERROR + text.removeprefix(ERROR), is_error=True)


def fit(result: ToolResult, limit: int) -> ToolResult:
    """The result with at most `limit` characters of content (the note about the cut included).

    Secrets are removed first, because half a secret at a cut would not be recognised.
    """
    content = cut_middle(redact_secrets(readable(result.content)), limit) or EMPTY
    return result if content == result.content else replace(result, content=content)


def readable(text: str) -> str:
    """The text without NUL and lone surrogates, which can't be stored or sent."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def cut_middle(text: str, limit: int) -> str:
    """Keep the beginning and the end, and state between them how much is missing."""
    if len(text) <= limit:
        return text
    note = f"\n[… {len(text):,} characters in all, the middle was cut; ask for less at a time …]\n"
    kept = max(0, limit - len(note))
    head = int(kept * _HEAD_SHARE)
    tail = kept - head
    return text[:head] + note + (text[-tail:] if tail else "")
