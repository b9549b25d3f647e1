"""Questions at a terminal: every answer is judged when it is given, in the person's own words."""

from collections.abc import Callable

import typer

_YES = frozenset(("y", "yes", "yep", "yeah", "ok", "sure", "j", "ja", "jo", "klar", "o", "oui", "s",
                  "si", "sí", "sì", "claro", "certo"))  # fmt: skip
_NO = frozenset(("n", "no", "nope", "nah", "nein", "nee", "nö", "non"))


def confirm(question: str, *, default: bool) -> bool:
    """A yes or a no in one of five languages; Enter takes the default."""
    shown = "Y/n" if default else "y/N"
    while True:
        said = str(typer.prompt(f"{question} [{shown}]", default="", show_default=False))
        word = said.strip(" .!").casefold()
        if not word:
            return default
        if word in _YES or word in _NO:
            return word in _YES
        typer.echo("  Write yes or no (or ja, nein, oui, non …).")


def ask(question: str, judge: Callable[[str], str], default: str = "") -> str:
    """A text that `judge` takes, as it gives it back.

    `judge` raises ValueError with a sentence for the person, who is then asked again.
    """
    while True:
        said = str(typer.prompt(question, default=default or None)).strip()
        try:
            return judge(said)
        except ValueError as error:
            typer.echo(f"  {error}")
