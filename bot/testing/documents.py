"""Documents of every supported kind, and hostile ones, made without other programs."""

import io
import zipfile
from collections.abc import Mapping, Sequence

import docx
import openpyxl
from pypdf import PdfWriter

WORD_TEXT = "word/document.xml"


def pdf(pages: Sequence[str], *, script: str = "") -> bytes:
    """Make a PDF with one line of text per page; `script` is JavaScript that runs on opening."""
    opened = f"/OpenAction << /S /JavaScript /JS ({script}) >> " if script else ""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {opened}>>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, line in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 720 Td ({line}) Tj ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * at} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        ]
    made, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{one}\nendobj\n".encode("latin-1")
    begins = len(made)
    made += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    made += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    made += (
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{begins}\n%%EOF".encode()
    )
    return bytes(made)


def locked_pdf(password: str) -> bytes:
    """Make a PDF that opens only with a password."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf(["nobody reads this"])))
    writer.encrypt(password, algorithm="AES-256")
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def word(parts: Sequence[tuple[str, str]], table: Sequence[Sequence[str]] = ()) -> bytes:
    """Make a Word document with a heading and paragraph per part, and a table at the end."""
    document = docx.Document()
    for heading, text in parts:
        document.add_heading(heading, 1)
        document.add_paragraph(text)
    if table:
        made = document.add_table(rows=len(table), cols=len(table[0]))
        for row, cells in zip(made.rows, table, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def excel(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """Make an Excel workbook with these rows on its sheets."""
    book = openpyxl.Workbook()
    for sheet in book.worksheets:
        book.remove(sheet)
    for name, rows in sheets.items():
        made = book.create_sheet(name)
        for row in rows:
            made.append(list(row))
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def word_bomb(megabytes: int) -> bytes:
    """Make a Word document of a few kilobytes whose text unpacks to this many megabytes."""
    source, made = zipfile.ZipFile(io.BytesIO(word([("A", "b")]))), io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for entry in source.infolist():
            if entry.filename != WORD_TEXT:
                archive.writestr(entry, source.read(entry))
        with archive.open(WORD_TEXT, "w", force_zip64=True) as text:
            for _ in range(megabytes):
                text.write(b" " * 1024 * 1024)
    return made.getvalue()
