"""Formats that are archives of XML or HTML: OpenDocument and EPUB."""

import posixpath
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from bot.plugin.readers import (
    BROKEN,
    DocumentSection,
    FoundText,
    ReadingLimits,
    UnreadableDocument,
    markdown_sections,
    read_page,
    sheet,
    table,
)
from bot.plugins.document_formats.bounds import require_small

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_REPEATED = 64
"""A cell or row that is said to be repeated is repeated at most so often."""
_MOST_COLUMNS = 1_024


def _xml(archive: zipfile.ZipFile, name: str, kind: str) -> Element:
    """A part of an archive. Nothing from outside is loaded, and entities within are bounded."""
    try:
        return ElementTree.fromstring(archive.read(name))  # noqa: S314 - in the limited process
    except (KeyError, ElementTree.ParseError, RuntimeError, zipfile.BadZipFile) as error:
        raise UnreadableDocument(BROKEN.format(kind)) from error


def read_odt(data: bytes, limits: ReadingLimits) -> FoundText:
    body = _body(data, "text")
    text = "\n".join(_blocks(body))
    return FoundText([DocumentSection("", text)] if limits.whole else markdown_sections(text))


def read_ods(data: bytes, limits: ReadingLimits) -> FoundText:
    found: list[DocumentSection] = []
    for one in _body(data, "spreadsheet").iter(f"{_TABLE}table"):
        found += sheet(str(one.get(f"{_TABLE}name")), _rows(one), limits)
    return FoundText(found)


def read_odp(data: bytes, _limits: ReadingLimits) -> FoundText:
    pages = _body(data, "presentation").iter(f"{_DRAW}page")
    return FoundText(
        [
            DocumentSection(f"slide {number}", "\n".join(_blocks(page)))
            for number, page in enumerate(pages, 1)
        ]
    )


def _body(data: bytes, what: str) -> Element:
    archive = require_small(data, "OpenDocument file")
    root = _xml(archive, "content.xml", "OpenDocument file")
    found = root.find(f"{_OFFICE}body/{_OFFICE}{what}")
    if found is None:
        raise UnreadableDocument(BROKEN.format("OpenDocument file"))
    return found


def _blocks(holder: Element) -> Iterator[str]:
    """Headings, paragraphs and tables below an element, in their order."""
    for one in holder:
        match one.tag:
            case tag if tag == f"{_TEXT}h":
                level = str(one.get(f"{_TEXT}outline-level") or "1")
                yield f"{'#' * (int(level) if level.isdigit() else 1)} {_said(one)}\n"
            case tag if tag == f"{_TEXT}p":
                yield f"{_said(one)}\n"
            case tag if tag == f"{_TABLE}table":
                yield f"{table(_rows(one))}\n"
            case _:
                yield from _blocks(one)


def _said(element: Element) -> str:
    parts: list[str] = []
    for one in element.iter():
        if one.tag in {f"{_TEXT}tab", f"{_TEXT}s", f"{_TEXT}line-break"}:
            parts.append(" ")
        parts.append(one.text or "")
        parts.append((one.tail or "") if one is not element else "")
    return " ".join("".join(parts).split())


def _rows(of_table: Element) -> Iterator[list[str]]:
    for row in of_table.iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        for cell in row:
            if cell.tag not in _CELLS:
                continue
            text = " ".join(_said(part) for part in cell.iter(f"{_TEXT}p"))
            times = str(cell.get(f"{_TABLE}number-columns-repeated") or "1")
            count = min(int(times) if times.isdigit() else 1, _REPEATED if text else _MOST_COLUMNS)
            cells += [text] * max(1, min(count, _MOST_COLUMNS - len(cells)))
        while cells and not cells[-1]:
            cells.pop()
        times = str(row.get(f"{_TABLE}number-rows-repeated") or "1")
        for _ in range(min(int(times) if times.isdigit() else 1, _REPEATED) if cells else 1):
            yield cells


def read_epub(data: bytes, _limits: ReadingLimits) -> FoundText:
    """By chapters, in the order of the book."""
    archive = require_small(data, "EPUB")
    container = _xml(archive, "META-INF/container.xml", "EPUB")
    paths = [one.get("full-path") for one in container.iter() if one.get("full-path")]
    if not paths:
        raise UnreadableDocument(BROKEN.format("EPUB"))
    package, folder = _xml(archive, str(paths[0]), "EPUB"), posixpath.dirname(str(paths[0]))
    items = {one.get("id"): one.get("href") for one in package.findall(".//{*}item")}
    spine = [items.get(one.get("idref")) for one in package.findall(".//{*}itemref")]
    found: list[DocumentSection] = []
    for number, href in enumerate(filter(None, spine), 1):
        try:
            page = archive.read(posixpath.normpath(posixpath.join(folder, str(href))))
        except KeyError:
            continue
        text = read_page(page, "", "utf-8")["text"]
        if text.strip():
            found.append(DocumentSection(f"chapter {number}", text))
    return FoundText(found)
