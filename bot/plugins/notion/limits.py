"""Notion's limits per request: https://developers.notion.com/reference/request-limits.

A text has at most 2,000 characters (UTF-16), a list of texts or blocks at most 100 items. A request
has at most 1,000 blocks, 500 KB and two levels below its top blocks.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.plugin.services import as_object, as_objects
from bot.plugin.tools import JsonObject

TEXT_UNITS = 2000
ITEMS = 100
LEVELS = 2
_BLOCKS = 900
_BYTES = 400_000
"""Both are below Notion's own limits, which also count the request around the blocks."""

RAISED = "what was nested more than three levels deep moved up"
SPLIT = "a list, table or text that was too long for one block was split"


@dataclass(frozen=True)
class _Size:
    blocks: int = 0
    bytes: int = 0

    def __add__(self, other: "_Size") -> "_Size":
        return replace(self, blocks=self.blocks + other.blocks, bytes=self.bytes + other.bytes)

    @property
    def fits(self) -> bool:
        return self.blocks <= _BLOCKS and self.bytes <= _BYTES


def fitted(blocks: Sequence[JsonObject]) -> tuple[list[JsonObject], tuple[str, ...]]:
    """The blocks within every limit, and the changes that this took, in words."""
    changed: dict[str, None] = {}
    here, raised = _fit(blocks, 0, changed)
    return here + raised, tuple(changed)


def batches(blocks: Sequence[JsonObject]) -> Iterator[list[JsonObject]]:
    """Fitted blocks in as many requests as needed, in order."""
    batch: list[JsonObject] = []
    size = _Size()
    for one in blocks:
        own = _size(one)
        if batch and (len(batch) == ITEMS or not (size + own).fits):
            yield batch
            batch, size = [], _Size()
        batch.append(one)
        size += own
    if batch:
        yield batch


def count(blocks: Sequence[JsonObject]) -> int:
    """Blocks with all their descendants."""
    return sum(_size(one).blocks for one in blocks)


def children_of(block: JsonObject) -> list[JsonObject]:
    return as_objects(as_object(block.get(str(block.get("type")))).get("children"))


def with_children(block: JsonObject, children: Sequence[JsonObject]) -> JsonObject:
    kind = str(block["type"])
    content = {name: value for name, value in block[kind].items() if name != "children"}
    return {**block, kind: {**content, "children": list(children)} if children else content}


def _fit(
    blocks: Sequence[JsonObject], level: int, changed: dict[str, None]
) -> tuple[list[JsonObject], list[JsonObject]]:
    """The blocks that may stay at this level, and those that have to follow one level above.

    Keeps the order.
    """
    here: list[JsonObject] = []
    waiting = [piece for one in blocks for piece in _pieces(one, changed)]
    for number, one in enumerate(waiting):
        below = children_of(one)
        if one["type"] == "table":
            if level == LEVELS:
                changed[RAISED] = None
                return here, waiting[number:]
            here.append(one)
        elif not below:
            here.append(one)
        elif level == LEVELS:
            changed[RAISED] = None
            beside, above = _fit(below, level, changed)
            here += [with_children(one, []), *beside]
            if above:
                return here, above + waiting[number + 1 :]
        else:
            inside, beside = _fit(below, level + 1, changed)
            kept, surplus = _that_fit(inside)
            if surplus:
                changed[SPLIT] = None
            moved, above = _fit([*surplus, *beside], level, changed)
            here += [with_children(one, kept), *moved]
            if above:
                return here, above + waiting[number + 1 :]
    return here, []


def _that_fit(blocks: list[JsonObject]) -> tuple[list[JsonObject], list[JsonObject]]:
    size = _Size(blocks=1)
    for number, one in enumerate(blocks):
        size += _size(one)
        if number == ITEMS or not size.fits:
            return blocks[:number], blocks[number:]
    return blocks, []


def _pieces(block: JsonObject, changed: dict[str, None]) -> list[JsonObject]:
    """Split a block with too many texts or rows; its children stay below the last part."""
    kind = str(block["type"])
    if kind == "table":
        head, *rows = children_of(block)
        parts = [rows[at : at + ITEMS - 1] for at in range(0, len(rows), ITEMS - 1)] or [[]]
        found = [
            with_children(block, [_row(row, changed) for row in (head, *part)]) for part in parts
        ]
    else:
        texts = _cut(block[kind].get("rich_text", []))
        parts = [texts[at : at + ITEMS] for at in range(0, len(texts), ITEMS)] or [[]]
        children = children_of(block)
        found = [_with_texts(block, part) for part in parts]
        found[-1] = with_children(found[-1], children)
    if len(found) > 1:
        changed[SPLIT] = None
    return found


def _with_texts(block: JsonObject, texts: list[JsonObject]) -> JsonObject:
    kind = str(block["type"])
    if "rich_text" not in block[kind]:
        return block
    return with_children({**block, kind: {**block[kind], "rich_text": texts}}, [])


def _row(row: JsonObject, changed: dict[str, None]) -> JsonObject:
    cells = [_cut(cell) for cell in row["table_row"]["cells"]]
    if any(len(cell) > ITEMS for cell in cells):
        changed["a cell of a table was too long and was cut"] = None
    return {**row, "table_row": {"cells": [cell[:ITEMS] for cell in cells]}}


def _cut(texts: Sequence[JsonObject]) -> list[JsonObject]:
    return [
        {**one, "text": {**one["text"], "content": part}}
        for one in texts
        for part in _parts(one["text"]["content"])
    ]


def _parts(content: str) -> Iterator[str]:
    """Parts of at most 2,000 UTF-16 units; a character outside the first plane counts twice."""
    begin = units = 0
    for at, character in enumerate(content):
        width = 2 if ord(character) > 0xFFFF else 1
        if units + width > TEXT_UNITS:
            yield content[begin:at]
            begin, units = at, 0
        units += width
    if begin < len(content):
        yield content[begin:]


def _size(block: JsonObject) -> _Size:
    own = len(json.dumps(with_children(block, []), ensure_ascii=False).encode("utf-8", "replace"))
    size = _Size(1, own)
    for child in children_of(block):
        size += _size(child)
    return size
