"""Importers of other assistants' homes."""

from dataclasses import dataclass


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
