"""What Bellhop says to people in other languages than English, a catalogue for each (`de.json`).

A catalogue maps the English words in the code to those of its language. `context|words` stands for
words that mean several things in one language (gettext calls it `msgctxt`). Each of our own
plug-ins has its words in its own folder, in all languages (`bot/plugins/*/translations.json`).
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_PLUGINS = Path(__file__).parents[1] / "plugins"


@cache
def catalogue(code: str) -> Mapping[str, str]:
    """The translations into a language, such as `de`. Raises OSError where it has no file."""
    words = {key: said[code] for key, said in _of_plugins().items()}
    return words | _read(Path(__file__).with_name(f"{code}.json"))


@cache
def _of_plugins() -> Mapping[str, Mapping[str, str]]:
    """The translations of our own plug-ins by language, by the English words. Read once for all."""
    files = sorted(_PLUGINS.glob("*/translations.json"))
    return {key: said for path in files for key, said in _read(path).items()}


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))
