"""`bellhop knowledge`: the documents that a team searches."""

import os
import sys
from pathlib import Path
from typing import Annotated

from bot.plugin.command_line import (
    Ask,
    BotError,
    CommandGroup,
    CommandLine,
    DocumentError,
    JsonObject,
    Listing,
    Parameter,
    StorageError,
)

MOST_FILES = 5_000
_ENDINGS = """
    pdf docx xlsx html htm md markdown txt rst csv tsv log json yaml yml toml
    ini xml sql sh py js ts tsx go rs java kt c h cpp hpp cs rb php swift css
"""
READABLE = frozenset(f".{ending}" for ending in _ENDINGS.split())
"""Endings of files that are added from a folder; a file named directly may have any."""


async def add(
    sources: Annotated[
        list[str], Parameter("Files, folders or web addresses.", shown="PATH|URL...")
    ],
    collection: Annotated[
        str, Parameter("The collection; it is made if there is none.", shown="NAME")
    ] = "team",
    roles: Annotated[
        str, Parameter("Who may search the collection, e.g. Partner+.", shown="ROLES")
    ] = "",
    *,
    ask: Ask,
) -> bool:
    """Add documents, or their newer versions; those that did not change stay as they are."""
    failed = 0
    for source in [one for given in sources for one in _named(given)]:
        params: JsonObject = {"source": source, "collection": collection, "roles": roles}
        try:
            print((await ask("add", params))["text"], flush=True)
        except StorageError:
            raise
        except BotError as error:
            failed += 1
            print(f"bellhop: {error}", file=sys.stderr)
    return await _embedded(ask) is not False and not failed


async def list_(
    collection: Annotated[
        str,
        Parameter(
            "Show its documents. Default: list all collections.",
            shown="[COLLECTION]",
            argument=True,
        ),
    ] = "",
    *,
    look: Ask,
) -> Listing:
    """List the collections, or the documents of one."""
    if collection:
        found = await look("documents", {"collection": collection})
        columns = {
            "id": "id", "parts": "parts", "owner": "added by", "seen": "seen", "name": "name"
        }  # fmt: skip
        return Listing(found["rows"], columns, f"{collection} has no documents.")
    found = await look("collections", {})
    columns = {"name": "collection", "documents": "documents", "parts": "parts", "roles": "roles"}
    return Listing(found["rows"], columns, "There are no collections yet.")


async def remove(
    what: Annotated[
        str, Parameter("A document's id, name, path or URL.", shown="DOCUMENT|COLLECTION")
    ],
    *,
    ask: Ask,
) -> None:
    """Remove a document, or a collection with all of its documents."""
    print((await ask("remove", {"what": _path_or(what)}))["text"])


async def embed(*, ask: Ask) -> bool:
    """Make missing vectors, e.g. after memory.embedder.name changed. It can be stopped."""
    done = await _embedded(ask)
    if done is None:
        print(
            "No embedder is set (memory.embedder.base_url), so documents are searched by words "
            "alone."
        )
    elif done:
        print("Every part has its vector.")
    return done is not False


KNOWLEDGE = CommandGroup(
    "knowledge",
    "Documents that the team searches.",
    (
        CommandLine("add", add),
        CommandLine("list", list_),
        CommandLine("remove", remove),
        CommandLine("embed", embed),
    ),
)


def _path_or(what: str) -> str:
    """The whole path of a file that is there, under which it was added; else as it was given."""
    path = Path(what).expanduser()
    return str(path.resolve()) if path.exists() else what


def _named(source: str) -> list[str]:
    """The files of a source. Raises DocumentError."""
    if source.startswith(("http://", "https://")):
        return [source]
    path = Path(source).expanduser().resolve()
    if not path.is_dir():
        if not path.exists():
            raise DocumentError(f"there is no file or folder {path}")
        return [str(path)]
    found: list[str] = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        found += [
            str(Path(folder, name))
            for name in sorted(names)
            if Path(name).suffix.casefold() in READABLE
        ]
        if len(found) > MOST_FILES:
            raise DocumentError(
                f"{path} has more than {MOST_FILES:,} documents; add its folders one by one"
            )
    if not found:
        raise DocumentError(f"{path} has no document of a readable kind")
    return found


async def _embedded(ask: Ask) -> bool | None:
    """Make all vectors that are missing, and show how far it is.

    False when the embedder can't be asked, None when none is set.
    """
    told = await ask("embed", {})
    if not told["set"]:
        return None
    made = 0
    while told["done"]:
        made += told["done"]
        if sys.stdout.isatty():
            print(
                f"\rLearning meanings: {made:,} of {made + told['pending']:,}", end="", flush=True
            )
        told = await ask("embed", {})
    if made and sys.stdout.isatty():
        print()
    if problem := told.get("problem"):
        print(
            f"bellhop: {problem}; until it answers, words alone find the documents",
            file=sys.stderr,
        )
        return False
    return True
