"""Words with which somebody wants everybody to know something.

Read from what they typed, so no text can ask for it.
"""

import re
from collections.abc import Iterable

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*")
_WISH = re.compile(
    r"\b(?:every(?:one|body) (?:here )?(?:should|must|has to|needs to|ought to) know"
    r"|(?:tell|remind|let) every(?:one|body)\b"
    r"|for every(?:one|body) to (?:know|remember)"
    r"|alle (?:hier )?(?:sollen|sollten|müssen) (?:das |es )?wissen|sag(?:e|t)? (?:es |das )?allen"
    r"|tout le monde (?:doit|devrait) savoir|dis-le à tous"
    r"|todos (?:deben|deberían|tienen que) saber|dile a todos"
    r"|tutti (?:devono|dovrebbero) sapere|dillo a tutti)",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"n't\b|n\u2019t\b|\b(?:not|never|no|nobody|without|nicht|kein\w*|nie|ne|pas|jamais|nunca|non"
    r"|mai)\b",
    re.IGNORECASE,
)
MOST = 5


def asked_to_share(typed: Iterable[str]) -> tuple[str, ...]:
    """The sentences with such a wish, word for word.

    A sentence that denies it, or asks, does not count.
    """
    found: list[str] = []
    for text in typed:
        for match in _SENTENCE.finditer(text):
            sentence = match[0].strip()
            asks = text[match.end() :].startswith("?")
            if _WISH.search(sentence) and not _DENIAL.search(sentence) and not asks:
                found.append(sentence)
    return tuple(dict.fromkeys(found))[:MOST]
