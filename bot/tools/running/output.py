"""Makes a tool's output valid text of bounded size."""

ERROR = "ERROR: "
"""The first word of a failed call's result, as the model sees it."""
OUTPUT_CHARS = 16_000
"""The most characters of a result; the middle of a longer one is cut."""
_HEAD_SHARE = 0.75


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
