"""The corpus of files that people post, second part: PDF, office files, books and pictures."""

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, RectangleObject, StreamObject

from bot.testing import documents as made
from bot.testing.corpus_case import Case, case, refused

TABLE = [["item", "sum"], ["desk", "40"]]
OUTSIDE = "http://127.0.0.1:9/"
"""Nobody listens there, and nobody may ask."""
XXE = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
_MAIN = "application/vnd.openxmlformats-officedocument.{}.main+xml"
_MACROS = {
    "wordprocessingml.document": "application/vnd.ms-word.document.macroEnabled.main+xml",
    "wordprocessingml.template": "",
    "spreadsheetml.sheet": "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
    "presentationml.presentation":
        "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
}  # fmt: skip


def _written(change: Callable[[PdfWriter], object], pages: int = 1) -> bytes:
    writer = PdfWriter(clone_from=io.BytesIO(made.pdf([f"Page words {n}" for n in range(pages)])))
    change(writer)
    saved = io.BytesIO()
    writer.write(saved)
    return saved.getvalue()


def _flate_bomb(writer: PdfWriter) -> None:
    stream = StreamObject()
    packer, packed = zlib.compressobj(9), b""
    for _ in range(600):
        packed += packer.compress(b" " * 1024 * 1024)
    stream._data = packed + packer.flush()  # type: ignore[attr-defined]  # noqa: SLF001
    stream[NameObject("/Filter")] = NameObject("/FlateDecode")
    writer.pages[0][NameObject("/Contents")] = writer._add_object(stream)  # noqa: SLF001


def _form(writer: PdfWriter) -> None:
    writer.add_annotation(0, Link(rect=RectangleObject((0, 0, 9, 9)), url=OUTSIDE))
    action = DictionaryObject({NameObject("/S"): NameObject("/Launch")})
    writer.root_object[NameObject("/OpenAction")] = action


def _loop(writer: PdfWriter) -> None:
    """The pages name themselves as their child."""
    pages = writer.root_object["/Pages"].get_object()
    pages[NameObject("/Kids")] = ArrayObject([writer.root_object.raw_get("/Pages")])  # type: ignore[index]


def _both() -> bytes:
    writer = PdfWriter(clone_from=io.BytesIO(made.pdf(["Words here"])))
    writer.append(PdfReader(io.BytesIO(made.scanned_pdf(1))))
    saved = io.BytesIO()
    writer.write(saved)
    return saved.getvalue()


def pdfs() -> list[Case]:
    plain = made.pdf(["Total: 40", "Thanks"])
    return [
        case("bill.pdf", plain, "## page 1", "Total: 40", "## page 2", "Thanks"),
        case("long.pdf", made.pdf([f"words {n}" for n in range(300)]), "words 299"),
        case(
            "packed.pdf",
            _written(lambda w: [p.compress_content_streams() for p in w.pages]),
            "Page words 0",
        ),
        case("turned.pdf", _written(lambda w: w.pages[0].rotate(90)), "Page words 0"),
        case("script.pdf", made.pdf(["Still text"], script="app.alert\\(1\\)"), "Still text"),
        case("linked.pdf", _written(_form), "Page words 0", never=(OUTSIDE,)),
        case(
            "carrier.pdf",
            _written(lambda w: w.add_attachment("evil.exe", b"MZ-INNER")),
            "Page words 0",
            never=("MZ-INNER",),
        ),
        case(
            "open_lock.pdf",
            _written(lambda w: w.encrypt("", "owner", algorithm="AES-256")),
            "Page words 0",
        ),
        case(
            "old_lock.pdf",
            _written(lambda w: w.encrypt("", "owner", algorithm="RC4-128")),
            "Page words 0",
        ),
        refused("locked.pdf", made.locked_pdf("secret"), "protected by a password"),
        case("scan.pdf", made.scanned_pdf(2), pictures=2),
        case("scans.pdf", made.scanned_pdf(8), "8 of its 8 pages are pictures", pictures=6),
        case("both.pdf", _both(), "Words here", pictures=1),
        case("mailed.pdf", b"\r\n junk before\r\n" + plain, "Total: 40"),
        refused("no_index.pdf", plain.replace(b"xref", b"none"), "it is damaged"),
        case("wrong_index.pdf", plain.replace(b"startxref\n", b"startxref\n7"), "Total: 40"),
        refused("cut.pdf", plain[:200], "it is damaged"),
        refused("only_name.pdf", b"%PDF-1.7\n", "it is damaged"),
        refused("bomb.pdf", _written(_flate_bomb)),
        refused("loop.pdf", _written(_loop), "it is damaged"),
    ]


def changed(data: bytes, parts: Mapping[str, Callable[[str], str]], **more: bytes) -> bytes:
    """An office file with changed parts; `more` are added, `__` standing for a slash."""
    source, saved = zipfile.ZipFile(io.BytesIO(data)), io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry in source.infolist():
            text = source.read(entry)
            if change := parts.get(entry.filename):
                text = change(text.decode()).encode()
            archive.writestr(entry.filename, text)
        for name, content in more.items():
            archive.writestr(name.replace("__", "/"), content)
    return saved.getvalue()


def _retyped(data: bytes, what: str, to: str) -> bytes:
    """The same with another type of its main part: with macros, or a template."""
    folder = {"w": "word", "s": "xl", "p": "ppt"}[what[0]]
    return changed(
        data,
        {"[Content_Types].xml": lambda text: text.replace(_MAIN.format(what), to)},
        **{f"{folder}__vbaProject.bin": b"\xd0\xcf\x11\xe0MACRO"},
    )


def _xxe(text: str) -> str:
    head, mark, rest = text.partition("?>")
    return f"{head}{mark}{XXE}{rest.replace('</w:t>', '&e;</w:t>', 1)}"


def _laughing(text: str) -> str:
    inner = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    head, mark, rest = text.partition("?>")
    laughs = f'<!DOCTYPE a [<!ENTITY a0 "haha">{inner}]>'
    return f"{head}{mark}{laughs}{rest.replace('</w:t>', '&a9;</w:t>', 1)}"


def _remote_template(text: str) -> str:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"
    link = (
        f'<Relationship Id="rId99" Type="{kind}" Target="{OUTSIDE}t.dotm" TargetMode="External"/>'
    )
    return text.replace("</Relationships>", f"{link}</Relationships>")


def _rich_word() -> bytes:
    document: Any = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Letterhead"
    document.add_heading("Grüße", 0)
    document.add_paragraph("first point", style="List Bullet")
    document.add_picture(io.BytesIO(made.picture()))
    cell = document.add_table(1, 1).cell(0, 0)
    cell.add_table(1, 1).cell(0, 0).text = "inner cell"
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def _template(of: Any, name: str) -> bytes:
    """A file that a package ships."""
    return (Path(of.__file__).parent / "templates" / name).read_bytes()


def words() -> list[Case]:
    plain, body = made.word([("Costs", "All of them")], TABLE), "word/document.xml"
    what, template = "wordprocessingml.document", _MAIN.format("wordprocessingml.template")
    return [
        case("costs.docx", plain, "# Costs", "All of them", "| desk | 40 |"),
        case("rich.docx", _rich_word(), "# Grüße", "first point"),
        case("long.docx", made.word([(f"H{n}", "words " * 80) for n in range(200)]), "# H199"),
        case("empty.docx", made.word([])),
        case("blank.docx", _template(docx, "default.docx")),
        case("macro.docm", _retyped(plain, what, _MACROS[what]), "# Costs", never=("MACRO",)),
        case("form.dotx", _retyped(plain, what, template), "# Costs", "| desk | 40 |"),
        case(
            "remote.docx",
            changed(plain, {"word/_rels/document.xml.rels": _remote_template}),
            "# Costs",
            never=(OUTSIDE,),
        ),
        case("passwd.docx", changed(plain, {body: _xxe}), "All of them", never=("root:",)),
        refused("laughs.docx", changed(plain, {body: _laughing}), "damaged"),
        refused("bomb.docx", made.word_bomb(200), "it unpacks to 200 MB"),
        refused("heavy.docx", made.word_bomb(100), ""),
        refused("cut.docx", plain[:2_000], "damaged"),
        refused("nobody.docx", changed(plain, {body: lambda _text: "<w:x"}), "damaged"),
    ]


def _rich_sheet() -> bytes:
    book: Any = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "May"
    sheet.append(["day", "paid", "rate", "note"])
    sheet.append([date(2026, 5, 4), True, 0.5, "=A1"])
    sheet.merge_cells("A5:D5")
    sheet["A5"] = "merged words"
    hidden = book.create_sheet("Old")
    hidden.append(["hidden words"])
    hidden.sheet_state = "hidden"
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def _far_sheet() -> bytes:
    book: Any = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "near", "far"
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def sheets() -> list[Case]:
    plain, what = made.excel({"May": TABLE}), "spreadsheetml.sheet"
    template = _MAIN.format("spreadsheetml.template")
    rows = [[n, f"name {n}", n * 1.5] for n in range(3_000)]
    return [
        case("sums.xlsx", plain, "## sheet May", "| desk | 40 |"),
        case("two.xlsx", made.excel({"A": TABLE, "B": [["x"], ["y"]]}), "## sheet A", "## sheet B"),
        case("rich.xlsx", _rich_sheet(), "2026-05-04", "True", "0.5", "merged words"),
        case("rows.xlsx", made.excel({"R": rows}), "| 2999 | name 2999 | 4498.5 |"),
        case("far.xlsx", _far_sheet(), "near"),
        case("empty.xlsx", made.excel({"E": []})),
        case("macro.xlsm", _retyped(plain, what, _MACROS[what]), "| desk | 40 |"),
        case("form.xltx", _retyped(plain, what, template), "| desk | 40 |"),
        case("pipes.xlsx", made.excel({"P": [["a|b", "c\nd"]]}), "a\\|b", "c d"),
        refused("cut.xlsx", plain[:1_500], "damaged"),
    ]


def _rich_slides() -> bytes:
    show: Any = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    box = slide.shapes.add_textbox(0, 0, 100, 100)
    box.text_frame.text = "boxed words"
    slide.shapes.add_picture(io.BytesIO(made.picture()), 0, 0)
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "grouped words"
    saved = io.BytesIO()
    show.save(saved)
    return saved.getvalue()


def slides() -> list[Case]:
    plain = made.powerpoint([("Plan", "Paint"), ("Costs", "Few")], TABLE)
    what = "presentationml.presentation"
    return [
        case("plan.pptx", plain, "## slide 1", "Paint", "Notes: said about Plan", "| desk | 40 |"),
        case("rich.pptx", _rich_slides(), "boxed words", "grouped words"),
        case("long.pptx", made.powerpoint([(f"T{n}", "x") for n in range(80)]), "## slide 80"),
        case("blank.pptx", _template(pptx, "default.pptx")),
        case("macro.pptm", _retyped(plain, what, _MACROS[what]), "Paint"),
        case("show.ppsx", _retyped(plain, what, _MAIN.format("presentationml.slideshow")), "Paint"),
        refused("cut.pptx", plain[:3_000], "damaged"),
    ]


_P = "<text:p>{}</text:p>"
_CELL = "<table:table-cell><text:p>{}</text:p></table:table-cell>"


def open_files() -> list[Case]:
    row = f"<table:table-row>{_CELL.format('desk')}{_CELL.format('40')}</table:table-row>"
    grid = f"<table:table table:name='T'>{row}</table:table>"
    wide = row.replace(
        "<table:table-cell>", "<table:table-cell table:number-columns-repeated='9999'>"
    )
    letter = "<text:h text:outline-level='2'>Terms</text:h>" + _P.format("paid<text:s/>in May")
    return [
        case(
            "letter.odt",
            made.open_document("text", letter + grid),
            "## Terms",
            "paid in May",
            "| desk | 40 |",
        ),
        case("sums.ods", made.open_document("spreadsheet", grid), "## sheet T", "| desk | 40 |"),
        case("wide.ods", made.open_document("spreadsheet", grid.replace(row, wide * 3)), "desk"),
        case(
            "show.odp",
            made.open_document("presentation", f"<draw:page>{_P.format('Hi')}</draw:page>"),
            "## slide 1",
            "Hi",
        ),
        case(
            "deep.odt",
            made.open_document(
                "text", "<text:list>" * 400 + _P.format("deep words") + "</text:list>" * 400
            ),
            "deep words",
        ),
        refused("passwd.odt", made.open_document("text", _P.format("&e;"), before=XXE), "damaged"),
        refused(
            "bare.odt",
            made.packed({"a": "b"}, "application/vnd.oasis.opendocument.text"),
            "damaged",
        ),
    ]


def books() -> list[Case]:
    chapters = ["<p>Once upon a time there was a king.</p>", "<p>He died of a cold in May.</p>"]
    climbing = made.packed(
        {
            "META-INF/container.xml": "<c><rootfile full-path='a.opf'/></c>",
            "a.opf": "<p><manifest><item id='x' href='../../etc/passwd'/></manifest>"
            "<spine><itemref idref='x'/></spine></p>",
        },
        "application/epub+zip",
    )
    return [
        case("king.epub", made.book(chapters), "## chapter 1", "there was a king", "cold in May"),
        case(
            "pictures.epub",
            made.book(["<svg/><img src='http://127.0.0.1:9/x'/>Few words."]),
            "Few words",
        ),
        case("climbing.epub", climbing, never=("root:",)),
        refused("bare.epub", made.packed({"a": "b"}, "application/epub+zip"), "damaged"),
    ]


def _photo(form: str, mode: str = "RGB", size: tuple[int, int] = (300, 200), **how: Any) -> bytes:
    saved = io.BytesIO()
    Image.new(mode, size).save(saved, form, **how)
    return saved.getvalue()


def pictures() -> list[Case]:
    forms = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")
    colours = (("L", "PNG"), ("1", "PNG"), ("P", "PNG"), ("RGBA", "PNG"), ("LA", "PNG"),
               ("I;16", "PNG"), ("CMYK", "JPEG"), ("L", "JPEG"), ("F", "TIFF"))  # fmt: skip
    shown = "300 x 200 pixels"
    return [
        *(case(f"photo.{form.lower()}", _photo(form), shown, pictures=1) for form in forms),
        *(
            case(f"{mode.replace(';', '')}_{form}.png", _photo(form, mode), shown, pictures=1)
            for mode, form in colours
        ),
        case("slow.jpg", _photo("JPEG", progressive=True), shown, pictures=1),
        case(
            "sideways.jpg",
            made.picture((400, 200), "JPEG", orientation=6),
            "200 x 400 pixels",
            pictures=1,
        ),
        case("large.jpg", _photo("JPEG", size=(8_000, 6_000)), "8000 x 6000 pixels", pictures=1),
        case("dot.png", _photo("PNG", size=(1, 1)), "1 x 1 pixels", pictures=1),
        case("thread.png", _photo("PNG", size=(20_000, 1)), "20000 x 1 pixels", pictures=1),
        case("dance.gif", made.picture(form="GIF", frames=5), "its first frame", pictures=1),
        case("dance.webp", made.picture(form="WEBP", frames=4), "its first frame", pictures=1),
        refused("bomb.png", _photo("PNG", "1", size=(20_000, 6_000)), "120 megapixels"),
        refused(
            "wall.png",
            _photo("PNG", "RGB", size=(9_900, 9_900)),
            "98 megapixels and the most is 40",
        ),
        refused("cut.png", _photo("PNG")[:60], "damaged"),
        refused("cut.jpg", b"\xff\xd8\xff" + bytes(200), "damaged"),
        refused("lie.gif", b"GIF89a" + b"\xff" * 100, "damaged"),
    ]
