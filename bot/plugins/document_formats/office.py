"""Word, Excel and PowerPoint since 2007. Macros and links to the outside are never looked at."""

import io
from collections.abc import Iterator, Sequence
from typing import Any

from bot.plugin.readers import (
    MOST_CHARS,
    DocumentSection,
    FoundText,
    ReadingLimits,
    markdown_sections,
    sheet,
    table,
)
from bot.plugins.document_formats.bounds import require_small

_WORD_TYPES = (
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
)
"""Documents with macros, and templates: python-docx itself opens plain documents only."""
LATE = "only its beginning was read: the rest takes longer than a document may"


def read_docx(data: bytes, limits: ReadingLimits) -> FoundText:
    """By the headings of the text; a row of a table is a line."""
    require_small(data, "Word document")
    from docx.opc.part import PartFactory  # noqa: PLC0415 - only for this kind
    from docx.package import Package  # noqa: PLC0415
    from docx.parts.document import DocumentPart  # noqa: PLC0415
    from docx.table import Table  # noqa: PLC0415

    lines: list[str] = []
    note = ""
    for other in _WORD_TYPES:
        PartFactory.part_type_for[other] = DocumentPart
    main: Any = Package.open(io.BytesIO(data)).main_document_part
    for block in main.document.iter_inner_content():
        if limits.is_late:
            note = LATE
            break
        if isinstance(block, Table):
            rows = [[cell.text.replace("\n", " ") for cell in row.cells] for row in block.rows]
            lines += [table(rows)] if limits.whole else [" | ".join(row) for row in rows]
            lines.append("")
            continue
        style = (block.style.name or "") if block.style is not None else ""
        level = style.removeprefix("Heading ")
        if style == "Title" or (style != level and level.isdigit()):
            depth = 1 if style == "Title" else min(6, int(level))
            lines.append(f"{'#' * depth} {' '.join(block.text.split())}")
        else:
            lines += [_unheaded(line) for line in block.text.splitlines()]
        lines.append("")
    text = "\n".join(lines)
    return FoundText([DocumentSection("", text)] if limits.whole else markdown_sections(text), note)


def _unheaded(line: str) -> str:
    """Text that only looks like a heading of Markdown stays text."""
    return f" {line}" if line.startswith(("#", "`", "~")) else line


def read_xlsx(data: bytes, limits: ReadingLimits) -> FoundText:
    require_small(data, "Excel workbook")
    import openpyxl  # noqa: PLC0415 - only for this kind

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    found: list[DocumentSection] = []
    for one in book.worksheets:
        one.reset_dimensions()  # a file may claim any size
        found += sheet(one.title, _rows(one.iter_rows(values_only=True), limits), limits)
    return FoundText(found, LATE if limits.is_late else "")


def _rows(rows: Iterator[Sequence[Any]], limits: ReadingLimits) -> Iterator[list[str]]:
    """As text, until it is more than a document may have."""
    chars = 0
    for row in rows:
        cells = ["" if cell is None else str(cell) for cell in row]
        chars += sum(map(len, cells))
        yield cells
        if chars > MOST_CHARS or limits.is_late:
            return


def read_pptx(data: bytes, limits: ReadingLimits) -> FoundText:
    """By slides, with tables and the speaker's notes."""
    require_small(data, "PowerPoint presentation")
    from pptx.package import Package  # noqa: PLC0415 - only for this kind

    found: list[DocumentSection] = []
    main: Any = Package.open(io.BytesIO(data)).main_document_part
    for number, slide in enumerate(main.presentation.slides, 1):
        if limits.is_late:
            return FoundText(found, LATE)
        lines = [line for shape in slide.shapes for line in _shape(shape)]
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            notes = slide.notes_slide.notes_text_frame.text.strip()
            lines += [f"Notes: {notes}"] if notes else []
        found.append(DocumentSection(f"slide {number}", "\n".join(filter(None, lines))))
    return FoundText(found)


def _shape(shape: Any, depth: int = 0) -> Iterator[str]:
    if hasattr(shape, "shapes") and depth < 8:  # a group
        for inner in shape.shapes:
            yield from _shape(inner, depth + 1)
    elif getattr(shape, "has_table", False):
        yield table([[cell.text for cell in row.cells] for row in shape.table.rows])
    elif getattr(shape, "has_text_frame", False):
        yield shape.text_frame.text.strip()
