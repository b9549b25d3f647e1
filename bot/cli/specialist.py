"""`bellhop specialist`: one agent's loop, over lines of JSON on standard input and output."""

import typer

from bot.specialist.loop import run


def specialist() -> None:
    """Run the loop of one specialist for the process that started this one (docs/running.md)."""
    raise typer.Exit(run())
