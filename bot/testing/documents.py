"""Documents of every supported kind, and hostile ones, made without other programs."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from typing import Any, cast

import docx
import openpyxl
import pptx
from PIL import Image
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


def picture(
    size: tuple[int, int] = (40, 20),
    form: str = "PNG",
    *,
    orientation: int = 0,
    frames: int = 1,
    mode: str = "RGB",
) -> bytes:
    """Make a picture whose left half is red and whose right half is blue.

    `orientation`: as a camera notes it in EXIF; `frames`: of an animation.
    """
    image = Image.new(mode, size, "blue" if mode in {"RGB", "RGBA"} else 0)
    if mode in {"RGB", "RGBA"}:
        image.paste("red", (0, 0, size[0] // 2, size[1]))
    options: dict[str, Any] = {}
    if orientation:
        exif = Image.Exif()
        exif[0x0112] = orientation
        options["exif"] = exif
    if frames > 1:
        others = [Image.new(mode, size, (at * 20 % 255, 0, 0)) for at in range(1, frames)]
        options |= {"save_all": True, "append_images": others}
    saved = io.BytesIO()
    image.save(saved, form, **options)
    return saved.getvalue()


def scanned_pdf(pages: int, size: tuple[int, int] = (620, 877)) -> bytes:
    """Make a PDF whose pages are pictures without text."""
    images = [Image.new("L", size, 250 - at) for at in range(pages)]
    saved = io.BytesIO()
    images[0].save(saved, "PDF", save_all=True, append_images=images[1:])
    return saved.getvalue()


def powerpoint(slides: Sequence[tuple[str, str]], table: Sequence[Sequence[str]] = ()) -> bytes:
    """Make a presentation with a title and a text on each slide, and a table on the last."""
    made = pptx.Presentation()
    slide: Any = None
    for title, text in slides:
        slide = cast("Any", made.slides.add_slide(made.slide_layouts[1]))
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
        slide.notes_slide.notes_text_frame.text = f"said about {title}"
    if table:
        frame = slide.shapes.add_table(len(table), len(table[0]), 0, 0, 100, 100)
        for row, cells in zip(frame.table.rows, table, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    saved = io.BytesIO()
    made.save(saved)
    return saved.getvalue()


def packed(entries: Mapping[str, str | bytes], mimetype: str = "") -> bytes:
    """Make an archive; `mimetype` is stored as its first entry, as OpenDocument and EPUB want."""
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        if mimetype:
            archive.writestr("mimetype", mimetype, zipfile.ZIP_STORED)
        for name, content in entries.items():
            archive.writestr(name, content)
    return saved.getvalue()


_OPEN = "urn:oasis:names:tc:opendocument:xmlns"


def open_document(what: str, body: str, *, before: str = "") -> bytes:
    """Make an OpenDocument file: `text`, `spreadsheet` or `presentation` with this XML in it."""
    names = {"office": "office", "text": "text", "table": "table", "draw": "drawing"}
    spaces = " ".join(f'xmlns:{one}="{_OPEN}:{of}:1.0"' for one, of in names.items())
    content = (
        f'<?xml version="1.0"?>{before}<office:document-content {spaces}><office:body>'
        f"<office:{what}>{body}</office:{what}></office:body></office:document-content>"
    )
    return packed({"content.xml": content}, f"application/vnd.oasis.opendocument.{what}")


def book(chapters: Sequence[str]) -> bytes:
    """Make an EPUB whose spine is in another order than its files."""
    package = "".join(f'<item id="c{at}" href="text/c{at}.xhtml"/>' for at in range(len(chapters)))
    spine = "".join(f'<itemref idref="c{at}"/>' for at in range(len(chapters)))
    entries = {
        "META-INF/container.xml": (
            '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
        ),
        "OEBPS/book.opf": f"<p><manifest>{package}</manifest><spine>{spine}</spine></p>",
    }
    for at, text in reversed(list(enumerate(chapters))):
        entries[f"OEBPS/text/c{at}.xhtml"] = f"<html><body><h1>{at + 1}</h1>{text}</body></html>"
    return packed(entries, "application/epub+zip")


def mail(text: str, attached: Mapping[str, bytes]) -> bytes:
    """Make a mail with attached files."""
    message = EmailMessage()
    message["From"], message["To"] = "Zoe <zoe@example.org>", "ann@example.org"
    message["Subject"] = "Offer"
    message.set_content(text)
    for name, data in attached.items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()
