"""Names of files in archives, which strangers chose."""

import unicodedata

_NAME_CHARS = 200


def plain_name(name: str) -> str:
    """As it is shown, on one line."""
    return " ".join(name.split())[:_NAME_CHARS]


def safe_name(name: str) -> str:
    """As it is asked for: without steps upwards, in one spelling."""
    plain = unicodedata.normalize("NFC", name.replace("\\", "/"))
    steps = " ".join(plain.split())[:_NAME_CHARS].split("/")
    shown = ("".join(c for c in step if c.isprintable()).strip() for step in steps)
    return "/".join(step for step in shown if step.strip(". "))
