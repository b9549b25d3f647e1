"""Turns a document into text in its own process: `python -m bot.knowledge.document_process`.

Documents come from strangers. Here their parsers have no secrets and no files to write, and limited
memory and time. Standard input: a line of JSON, then the bytes. Standard output: JSON.
"""

import io
import json
import logging
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.knowledge.chunks import DocumentSection, chunked, line_sections, markdown_sections
from bot.web.page_process import limit_itself, read_page

MEMORY_BYTES = 768 * 1024 * 1024
CPU_S = 60
MOST_CHARS = 4_000_000
"""The most characters of one document; the rest is cut."""
UNPACKED_BYTES = 128 * 1024 * 1024
"""The most bytes of all files inside a .docx or .xlsx."""
_ROWS = 40
"""Of a sheet, in one section: each begins with the names of its columns."""
_HEADER_ROWS = 1
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
LOCKED = "it is protected by a password; save it without one and add it again"
BROKEN = "it is damaged, or no {}; open it, save it anew and add it again"


class UnreadableDocument(Exception):
    """Why a document can't be read, in words for the person who added it."""


def sections_of_pdf(data: bytes, limits: Mapping[str, Any]) -> tuple[list[DocumentSection], str]:
    """One section for each page. Scripts and attachments of the file are never looked at."""
    import pypdf  # noqa: PLC0415 - after the limits are set
    from pypdf.errors import PyPdfError  # noqa: PLC0415

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableDocument(LOCKED)
        count, most = len(reader.pages), int(limits["pages"])
        found = [
            DocumentSection(f"page {number}", reader.pages[number - 1].extract_text())
            for number in range(1, min(count, most) + 1)
        ]
    except UnreadableDocument:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise UnreadableDocument(BROKEN.format("PDF")) from error
    if found and not any(section.text.strip() for section in found):
        raise UnreadableDocument(
            "its pages are pictures without text; run text recognition over it and add it again"
        )
    return found, f"only the first {most:,} of {count:,} pages were read" if count > most else ""


def sections_of_docx(data: bytes, _limits: Mapping[str, Any]) -> tuple[list[DocumentSection], str]:
    """By the headings of the text; a row of a table is a line."""
    _require_small(data, "Word document")
    import docx  # noqa: PLC0415 - after the limits are set
    from docx.table import Table  # noqa: PLC0415

    lines: list[str] = []
    for block in docx.Document(io.BytesIO(data)).iter_inner_content():
        if isinstance(block, Table):
            lines += [
                " | ".join(cell.text.replace("\n", " ") for cell in row.cells) for row in block.rows
            ]
            continue
        style = (block.style.name or "") if block.style is not None else ""
        level = style.removeprefix("Heading ")
        if style == "Title" or (style != level and level.isdigit()):
            depth = 1 if style == "Title" else min(6, int(level))
            lines.append(f"{'#' * depth} {' '.join(block.text.split())}")
        else:
            lines += [_unheaded(line) for line in block.text.splitlines()]
        lines.append("")
    return markdown_sections("\n".join(lines)), ""


def _unheaded(line: str) -> str:
    """Text that only looks like a heading of Markdown stays text."""
    return f" {line}" if line.startswith(("#", "`", "~")) else line


def sections_of_xlsx(data: bytes, _limits: Mapping[str, Any]) -> tuple[list[DocumentSection], str]:
    """Rows of each sheet, some at a time, with the names of the columns before them."""
    _require_small(data, "Excel workbook")
    import openpyxl  # noqa: PLC0415 - after the limits are set

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    found: list[DocumentSection] = []
    chars = 0
    for sheet in book.worksheets:
        head, lines, first = "", list[str](), 0
        for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
            line = " | ".join("" if cell is None else str(cell) for cell in row).rstrip(" |")
            if not line.strip():
                continue
            if not head:
                head = line
                continue
            first = first or number
            lines.append(line)
            chars += len(line)
            if len(lines) == _ROWS or sum(map(len, lines)) + len(head) > 800:
                found.append(
                    DocumentSection(f"sheet {sheet.title}, row {first}", "\n".join((head, *lines)))
                )
                lines, first = [], 0
            if chars > MOST_CHARS:
                break
        if lines or (head and not first):
            place = f"sheet {sheet.title}, row {first or _HEADER_ROWS}"
            found.append(DocumentSection(place, "\n".join((head, *lines))))
    return found, ""


def sections_of_html(data: bytes, limits: Mapping[str, Any]) -> tuple[list[DocumentSection], str]:
    """By the headings of the page's own text, without its menus."""
    return markdown_sections(
        read_page(data, str(limits["url"]), str(limits["charset"]))["text"]
    ), ""


def sections_of_markdown(
    data: bytes, _limits: Mapping[str, Any]
) -> tuple[list[DocumentSection], str]:
    return markdown_sections(_text(data)), ""


def sections_of_text(data: bytes, _limits: Mapping[str, Any]) -> tuple[list[DocumentSection], str]:
    return line_sections(_text(data)), ""


def _text(data: bytes) -> str:
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if b"\0" in data and not wide:
        raise UnreadableDocument(
            "it is no text and of no kind that can be read (PDF, Word, Excel, HTML, Markdown, text)"
        )
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _require_small(data: bytes, kind: str) -> None:
    """The archive's stated sizes limit its reader, so a larger one is never unpacked."""
    if data.startswith(_OLD_OFFICE):
        raise UnreadableDocument(
            "it has a password or an old format; save it as .docx or .xlsx without a password"
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(one.file_size for one in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise UnreadableDocument(BROKEN.format(kind)) from error
    if size > UNPACKED_BYTES:
        raise UnreadableDocument(
            f"it unpacks to {size // 1024**2:,} MB and the most is {UNPACKED_BYTES // 1024**2} MB"
        )


READERS: Mapping[str, Callable[[bytes, Mapping[str, Any]], tuple[list[DocumentSection], str]]] = {
    "pdf": sections_of_pdf,
    "docx": sections_of_docx,
    "xlsx": sections_of_xlsx,
    "html": sections_of_html,
    "markdown": sections_of_markdown,
    "text": sections_of_text,
}


def _within(sections: list[DocumentSection]) -> Iterator[DocumentSection]:
    left = MOST_CHARS
    for section in sections:
        if left <= 0:
            return
        yield DocumentSection(section.place, section.text[:left], section.first_line)
        left -= len(section.text)


def parts_of(data: bytes, head: Mapping[str, Any]) -> dict[str, Any]:
    """`parts` (place and text of each) with a `note` on what was cut; or `problem`."""
    kind = str(head["kind"])
    try:
        sections, note = READERS[kind](data, head)
    except UnreadableDocument as error:
        return {"problem": str(error)}
    except MemoryError:
        return {"problem": "it takes more memory than a document may"}
    except Exception:  # noqa: BLE001 - a parser that trips over a hostile file raises whatever it likes
        return {"problem": BROKEN.format(kind.upper())}
    if sum(len(section.text) for section in sections) > MOST_CHARS:
        note = f"only its first {MOST_CHARS:,} characters were read"
    return {
        "parts": [[one.place, one.text] for one in chunked(list(_within(sections)))],
        "note": note,
    }


def main() -> None:
    """Read one document from standard input and write its parts."""
    head = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    limit_itself(MEMORY_BYTES, int(head.get("cpu_s", CPU_S)))
    sys.stdout.buffer.write(
        json.dumps(parts_of(data, head), ensure_ascii=False).encode("utf-8", "replace")
    )


if __name__ == "__main__":
    main()
