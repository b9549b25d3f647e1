"""`bellhop knowledge`: the documents that a team searches."""

import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from bot.app import AppOptions, open_app
from bot.cli.changes import change_knowledge
from bot.cli.looking import looking, run_async
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table
from bot.cli.serving import socket_path
from bot.domain.json_types import JsonObject
from bot.endpoints.control import connect
from bot.errors import BotError, DocumentError, HomeInUse, StorageError
from bot.llm.no_model import NoModel

app = typer.Typer(help="Documents that the team searches.", no_args_is_help=True)

Change = Callable[[JsonObject], Awaitable[JsonObject]]
MOST_FILES = 5_000
_ENDINGS = """
    pdf docx xlsx html htm md markdown txt rst csv tsv log json yaml yml toml
    ini xml sql sh py js ts tsx go rs java kt c h cpp hpp cs rb php swift css
"""
READABLE = frozenset(f".{ending}" for ending in _ENDINGS.split())
"""Endings of files that are added from a folder; a file named directly may have any."""


@app.callback()
def group() -> None:
    """Documents that the team searches."""


@app.command()
def add(
    sources: Annotated[
        list[str], typer.Argument(metavar="PATH|URL...", help="Files, folders or web addresses.")
    ],
    collection: Annotated[
        str, typer.Option(metavar="NAME", help="The collection; it is made if there is none.")
    ] = "team",
    roles: Annotated[
        str, typer.Option(metavar="ROLES", help="Who may search the collection, e.g. Partner+.")
    ] = "",
    home: Home = NO_HOME,
) -> None:
    """Add documents, or their newer versions; those that did not change stay as they are."""
    wanted = [one for source in sources for one in _named(source)]
    if not run_async(_add(home, wanted, collection, roles)):
        raise typer.Exit(1)


@app.command("list")
def list_(
    collection: Annotated[
        str,
        typer.Argument(
            metavar="[COLLECTION]", help="Show its documents. Default: list all collections."
        ),
    ] = "",
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List the collections, or the documents of one."""
    rows = run_async(_documents(home, collection) if collection else _collections(home))
    if as_json:
        print_json(rows)
    elif collection:
        cells = [
            (one["id"], str(one["parts"]), one["owner"] or "-", one["seen"], one["name"])
            for one in rows
        ]
        print_table(
            ("id", "parts", "added by", "seen", "name"),
            cells,
            empty=f"{collection} has no documents.",
        )
    else:
        cells = [
            (one["name"], str(one["documents"]), str(one["parts"]), one["roles"]) for one in rows
        ]
        print_table(
            ("collection", "documents", "parts", "roles"),
            cells,
            empty="There are no collections yet.",
        )


@app.command()
def remove(
    what: Annotated[
        str,
        typer.Argument(metavar="DOCUMENT|COLLECTION", help="A document's id, name, path or URL."),
    ],
    home: Home = NO_HOME,
) -> None:
    """Remove a document, or a collection with all of its documents."""
    path = Path(what).expanduser()
    typer.echo(run_async(_remove(home, str(path.resolve()) if path.exists() else what)))


@app.command()
def embed(home: Home = NO_HOME) -> None:
    """Make missing vectors, e.g. after memory.embedder.name changed. It can be stopped."""
    if not run_async(_embed_all(home)):
        raise typer.Exit(1)


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


@asynccontextmanager
async def _changing(home: Path) -> AsyncGenerator[Change]:
    """How to change the documents of a home: here, or through the process that runs it."""
    try:
        async with open_app(AppOptions(home, model=NoModel())) as house:
            yield lambda params: change_knowledge(house, params)
    except HomeInUse:
        async with connect(socket_path(home)) as client:

            async def ask(params: JsonObject) -> JsonObject:
                return cast(
                    "JsonObject", await client.call("knowledge.change", params, timeout_s=None)
                )

            yield ask


async def _add(home: Path, sources: list[str], collection: str, roles: str) -> bool:
    """False when any of them could not be added; the others are."""
    failed = 0
    async with _changing(home) as change:
        for source in sources:
            params: JsonObject = {
                "verb": "add",
                "source": source,
                "collection": collection,
                "roles": roles,
            }
            try:
                typer.echo((await change(params))["text"])
            except StorageError:
                raise
            except BotError as error:
                failed += 1
                typer.echo(f"bellhop: {error}", err=True)
        return await _embed(change) is not False and not failed


async def _remove(home: Path, what: str) -> str:
    async with _changing(home) as change:
        return str((await change({"verb": "remove", "what": what}))["text"])


async def _embed_all(home: Path) -> bool:
    async with _changing(home) as change:
        done = await _embed(change)
    if done is None:
        typer.echo(
            "No embedder is set (memory.embedder.base_url), so documents are searched by words "
            "alone."
        )
    elif done:
        typer.echo("Every part has its vector.")
    return done is not False


async def _embed(change: Change) -> bool | None:
    """Make all vectors that are missing, with a progress bar.

    False when the embedder can't be asked, None when none is set.
    """
    told = await change({"verb": "embed"})
    if not told["set"]:
        return None
    if not told["done"] and not told["pending"]:
        return True
    with typer.progressbar(length=told["done"] + told["pending"], label="Learning meanings") as bar:
        while told["done"]:
            bar.update(told["done"])
            told = await change({"verb": "embed"})
    if problem := told.get("problem"):
        typer.echo(
            f"bellhop: {problem}; until it answers, words alone find the documents", err=True
        )
        return False
    return True


async def _collections(home: Path) -> list[dict[str, Any]]:
    async with looking(home) as house:
        found = await house.house.documents.collections.rows.collections()
    return [
        {"name": one.name, "documents": one.documents, "parts": one.parts, "roles": one.roles}
        for one in found
    ]


async def _documents(home: Path, collection: str) -> list[dict[str, Any]]:
    async with looking(home) as house:
        if all(
            one.name != collection
            for one in await house.house.documents.collections.rows.collections()
        ):
            raise DocumentError(
                f"there is no collection {collection!r}; `bellhop knowledge list` names them"
            )
        found = await house.house.documents.collections.rows.documents(collection)
    return [
        {
            "id": one.id,
            "name": one.name,
            "source": one.source,
            "owner": one.owner,
            "seen": str(one.learned.reach),
            "parts": one.parts,
            "added_at": one.added_at,
        }
        for one in found
    ]
