"""Importers of other assistants' homes, and what reads one with them."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.workshop.moving.found import FoundHome
    from bot.workshop.moving.schedules import Clockwork


@dataclass(frozen=True)
class HomeImporter:
    """Reads the homes of one other assistant.

    `read` names a function as `package.module:function`, which is imported when it is needed. It
    gets a `HomeReader`, takes with it what Bellhop has a place for, and tells what is left. It
    writes nothing, and runs in a thread.
    """

    name: str
    """`bellhop import NAME`, the folder in `imports/`, and the source of its memories."""
    title: str
    """The assistant's name for people."""
    read: str


def read_home(
    importer: HomeImporter, root: Path, clockwork: "Clockwork", slack_team: str
) -> "FoundHome":
    """Everything that can be taken over from a home, and what can't. Nothing is written."""
    from bot.workshop.moving.foreign_home import ForeignHome  # noqa: PLC0415 - where one moves in
    from bot.workshop.moving.found import FoundHome  # noqa: PLC0415
    from bot.workshop.moving.home_reader import HomeReader  # noqa: PLC0415

    found = FoundHome(importer.name, importer.title)
    module, _, function = importer.read.partition(":")
    read = getattr(import_module(module), function)
    read(HomeReader(ForeignHome(root, found), clockwork, slack_team))
    found.secrets = list(dict.fromkeys(found.secrets))
    return found
