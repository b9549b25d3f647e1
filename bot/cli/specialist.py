"""`bellhop specialist`: the loop of one specialist."""

import typer

from bot.specialist import loop


def specialist() -> None:
    """Run a specialist's loop for the process that started this.

    See docs/running.md.
    """
    raise typer.Exit(loop.run())
