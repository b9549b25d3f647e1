"""Searches files byte by byte for words, in every spelling in which a home could hold them."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from bot.storage.fulltext import folded

_PART = 6
"""So long parts of a word are searched, too: a page may end inside it, and full text stores only
the end of a term that begins like the one before."""


def spellings(word: str) -> set[bytes]:
    """A word as UTF-8, UTF-16, folded, and as JSON and URLs escape it; and all its longer parts."""
    texts = {word, word.casefold(), word.upper(), folded(word)}
    texts |= {json.dumps(text)[1:-1] for text in texts} | {quote(text) for text in texts}
    whole = {
        text.encode(encoding) for text in texts for encoding in ("utf-8", "utf-16-le", "utf-16-be")
    }
    plain = folded(word)
    parts = {plain[at : at + _PART] for at in range(len(plain) - _PART + 1)}
    return whole | {part.encode() for part in parts}


def holding(folders: Iterable[Path], words: Sequence[str]) -> dict[str, list[str]]:
    """The files that hold any of the words, by path, with the spellings found."""
    wanted = {spelling for word in words for spelling in spellings(word)}
    found: dict[str, list[str]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            names = [part for part in words if part in folded(path.name)]
            hits = [
                str(one)
                for data in _contents(path.read_bytes())
                for cased in (data, data.lower())
                for one in wanted
                if one in cased
            ]
            if hits or names:
                found[str(path)] = [*names, *hits]
    return found


def _contents(data: bytes) -> Iterator[bytes]:
    """The bytes, and those packed inside."""
    yield data
    if data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
    for head in (b"\x78\x01", b"\x78\x9c", b"\x78\xda"):
        at = data.find(head)
        while at >= 0:
            with suppress(zlib.error):
                yield zlib.decompressobj().decompress(data[at:])
            at = data.find(head, at + 1)
