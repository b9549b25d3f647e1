"""`bellhop` in a process of its own, forked from an interpreter that has imported it already.

A start takes two seconds of a processor, nearly all of it for imports. Tests of what a command does
don't pay for them again; tests of the start itself run `python -m bot`.
"""

import subprocess
from collections.abc import Mapping
from importlib import import_module

from bot.cli.main import run as main
from bot.testing.forked_programs import forked

__all__ = ["loaded", "main", "run_loaded"]

import_module("bot.app")  # most commands import it as late as they can


def loaded(*arguments: str) -> list[str]:
    """The command of `bellhop` with these arguments; its process id is not that of Bellhop."""
    return forked(__name__, *arguments)


def run_loaded(
    arguments: list[str],
    environment: Mapping[str, str],
    given: bytes = b"",
    patience_s: float = 60,
) -> subprocess.CompletedProcess[bytes]:
    """Run `bellhop` with these arguments, and `given` as its standard input.

    Raises subprocess.TimeoutExpired after it was killed.
    """
    return subprocess.run(  # noqa: S603 - our own command
        loaded(*arguments),
        input=given,
        capture_output=True,
        timeout=patience_s,
        check=False,
        env=environment,
    )
