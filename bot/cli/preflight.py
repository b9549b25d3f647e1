"""Checks before a home is served, so that problems show early and in one sentence."""

import resource
from pathlib import Path

import typer

from bot.cli.printing import confirm
from bot.errors import BotError
from bot.storage.ownership import is_home, require_home, require_own

MIN_OPEN_FILES = 128
"""Files, sockets and pipes that a Bellhop needs open at once, with some tools running."""


class TooFewFiles(BotError):
    """The system lets this process open too few files."""


def preflight(home: Path, *, ask: bool = False) -> None:
    """Raises BotError if this process can't serve `home`; with `ask` a person may decide."""
    if home != Path.cwd():
        require_home(home)
    elif ask and not is_home(home):
        asked = f"Bellhop has no home in {home} yet. Make this folder its home?"
        if not confirm(asked, default=True):
            raise typer.Abort
    require_own(home)
    require_open_files()


def require_open_files() -> None:
    """Take as many open files as the system allows. Raises TooFewFiles when that is not enough."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and hard < MIN_OPEN_FILES:
        raise TooFewFiles(
            f"this process may have {hard} files open and needs {MIN_OPEN_FILES}; raise the limit "
            "(`ulimit -n 1024`, or LimitNOFILE=1024 in a systemd unit)"
        )
