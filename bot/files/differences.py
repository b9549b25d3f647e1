"""Differences of two texts, for people and models."""

import asyncio
from difflib import unified_diff

LINES = 4_000
"""The most lines of each text; comparing longer ones could take seconds."""
CHARS = 12_000
"""Of the result."""


async def differences(before: str, after: str, names: tuple[str, str]) -> str:
    """A unified diff, cut where it is long. `names`: what the two texts are called."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > LINES:
        return f"[one of the texts has more than {LINES} lines; read both instead]"
    lines = await asyncio.to_thread(lambda: list(unified_diff(old, new, *names, lineterm="", n=2)))
    text = "\n".join(lines) or "[both are the same text]"
    return text if len(text) <= CHARS else f"{text[:CHARS]}\n[more changed than fits here]"
