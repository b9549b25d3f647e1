"""`bellhop specialist`: the loop of one specialist."""

import typer

from bot.specialist import loop


def specialist() -> None:
    """Run the loop of one specialist for the process that started this one (docs/running.md)."""
    raise typer.Exit(loop.run())
