"""A yes or no in words: which messages decide an open card."""

import re

_YES = frozenset(
    {
        "yes",
        "yes please",
        "yes go ahead",
        "yes do it",
        "yeah",
        "yep",
        "ok",
        "okay",
        "ok go ahead",
        "okay go ahead",
        "go ahead",
        "please go ahead",
        "do it",
        "yes do",
        "sure",
        "sure go ahead",
        "approve",
        "approved",
        "ja",
    }
)
_NO = frozenset(
    {
        "no",
        "no thanks",
        "no thank you",
        "no dont",
        "nope",
        "dont",
        "do not",
        "dont do it",
        "no do not",
        "reject",
        "rejected",
        "nein",
    }
)
_LONGEST = 60


def verdict_of(text: str) -> bool | None:
    """Yes, no, or None for anything else. The words must be the whole message."""
    if len(text) > _LONGEST:
        return None
    plain = text.replace("\u2019", "").replace("'", "").casefold()
    words = " ".join(re.sub(r"[,.!]+", " ", plain).split())
    return True if words in _YES else False if words in _NO else None
