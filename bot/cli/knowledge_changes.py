"""What `bellhop knowledge` does to a home, here or inside the Bellhop that runs on it."""

import asyncio
from pathlib import Path

from bot.app import App
from bot.domain.json_types import JsonObject
from bot.errors import DocumentError, EmbedderError
from bot.knowledge.documents import AddedDocument
from bot.knowledge.reading import MOST_BYTES, RawDocument
from bot.regular_file import open_regular_file


async def change_knowledge(app: App, params: JsonObject) -> JsonObject:
    """Add one document, remove something, or make some vectors.

    Raises DocumentError, EmbedderError.
    """
    match params["verb"]:
        case "add":
            return await _add(
                app, str(params["source"]), str(params["collection"]), str(params["roles"])
            )
        case "remove":
            return {"text": await app.house.documents.collections.remove(str(params["what"]))}
        case _:
            return await _embed(app)


async def _add(app: App, source: str, collection: str, roles: str) -> JsonObject:
    if source.startswith(("http://", "https://")):
        raw = await app.house.documents.collections.fetch(source)
    else:
        raw = RawDocument(Path(source).name, await asyncio.to_thread(_bytes, Path(source)))
    added = await app.house.documents.collections.add(raw, source, collection, roles)
    return {"text": _in_words(added), "known": added.known, "parts": added.parts}


async def _embed(app: App) -> JsonObject:
    """The vectors of some parts more, and how many then wait."""
    vectors = app.house.documents.collections.vectors
    if vectors is None:
        return {"done": 0, "pending": 0, "set": False}
    try:
        done = await vectors.embed_some()
    except EmbedderError as error:
        return {"done": 0, "pending": await vectors.pending(), "set": True, "problem": str(error)}
    return {"done": done, "pending": await vectors.pending(), "set": True}


def _bytes(path: Path) -> bytes:
    """Read at most one byte beyond the limit, so that a larger file is refused as too large."""
    try:
        with open_regular_file(path) as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"{path} can't be read: {error.strerror or error}") from error


def _in_words(added: AddedDocument) -> str:
    if added.known:
        return f"{added.name} is in {added.collection} already, unchanged"
    parts = f"{added.parts:,} part{'' if added.parts == 1 else 's'}"
    return (
        f"{added.name} added to {added.collection}: "
        f"{parts}{f'; {added.note}' if added.note else ''}"
    )
