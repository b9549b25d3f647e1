"""What the files begin with that commands make, and the pages that they print."""

from pathlib import Path


def template(name: str) -> str:
    """The text of one, by the name of its file here."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
