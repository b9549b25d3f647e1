"""What Bellhop says to people in other languages than English, a catalogue for each (`de.json`).

A catalogue maps the English words in the code to those of its language. `context|words` stands for
words that mean several things in one language (gettext calls it `msgctxt`).
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def catalogue(code: str) -> Mapping[str, str]:
    """The translations into a language, such as `de`. Raises OSError where it has no file."""
    return json.loads(Path(__file__).with_name(f"{code}.json").read_text(encoding="utf-8"))
