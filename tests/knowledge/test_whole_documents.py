"""What a model gets of each kind of file, whatever its name says."""

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import pillow_heif
import pytest
from PIL import Image

from bot.errors import DocumentError
from bot.knowledge.kinds import FileKind, kind_of
from bot.knowledge.reading import DocumentReader, RawDocument, WholeDocument
from bot.plugins.document_formats.pictures import EDGE
from bot.testing import documents as made
from bot.testing.own_readers import OWN_READERS

TABLE = [["item", "sum"], ["desk|lamp", "40"]]
SHOWN = "| item | sum |\n| --- | --- |\n| desk\\|lamp | 40 |"
P = "<text:p>{}</text:p>"
ROW = (
    "<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
    "<table:table-cell table:number-columns-repeated='2'><text:p>b</text:p></table:table-cell>"
    "<table:table-cell table:number-columns-repeated='16000'/></table:table-row>"
    "<table:table-row table:number-rows-repeated='1000000'><table:table-cell/></table:table-row>"
)
LETTER = "<text:h text:outline-level='2'>Terms</text:h>" + P.format("paid<text:s/>in May")
RTF = rb"{\rtf1\ansi\ansicpg1252 caf\'e9 {\b total} 40\par}"
RUSSIAN = "Счёт за уборку помещений в мае составляет сорок рублей, оплата по договору. " * 4
ODD_SENDER = (
    b"From: \xff\xff\xb4\xff\xff\xff\xff\xff@\xc8xamplehtml><body><p>Your bill is forty pounds,"
    b" in May.</p>8img src='http://127.0.0.1:9/tr\xff></body></htmd>"
)
"""Python's parser of addresses trips over it; that of 3.13 leaves the part before the comma out."""
FORMS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")
FILES = [
    ("a.pdf", made.pdf(["Total: 40", "Thanks"]), "## page 1\n\nTotal: 40\n\n## page 2\n\nThanks"),
    ("a.docx", made.word([("Costs", "All of them")], TABLE), f"# Costs\n\nAll of them\n\n{SHOWN}"),
    ("a.xlsx", made.excel({"May": TABLE}), f"## sheet May\n\n{SHOWN}"),
    ("a.pptx", made.powerpoint([("Plan", "Paint"), ("Costs", "Few")], TABLE),
     "## slide 1\n\nPlan\nPaint\nNotes: said about Plan\n\n## slide 2\n\nCosts\nFew\n" + SHOWN),
    ("a.odt", made.open_document("text", LETTER), "## Terms\n\npaid in May"),
    ("a.ods", made.open_document("spreadsheet", f"<table:table table:name='T'>{ROW}</table:table>"),
     "## sheet T\n\n| a | b | b |\n| --- | --- | --- |"),
    ("a.odp", made.open_document("presentation", f"<draw:page>{P.format('Hi')}</draw:page>"),
     "## slide 1\n\nHi"),
    ("a.rtf", RTF, "café total 40"),
    ("a.epub", made.book(["Once upon a time there was a king.", "He died of a cold in May."]),
     "## chapter 1\n\n# 1\n\nOnce upon a time there was a king."),
    ("a.html", b"<html><body><h1>Costs</h1><p>Forty pounds for the desk.</p></body></html>",
     "Forty pounds for the desk."),
    ("a.csv", "name;sum\nMüller;40\n".encode("cp1252"), "name;sum\nMüller;40"),
    ("a.txt", RUSSIAN.encode("cp1251"), RUSSIAN.strip()),
    ("a.txt", "hello wide world".encode("utf-16-le"), "hello wide world"),
    ("a.txt", "hello marked world".encode("utf-16"), "hello marked world"),
    ("a.zip", made.packed({"in/a.txt": "hello", "b.txt": ""}), "- in/a.txt (5 bytes)"),
]  # fmt: skip


async def whole(data: bytes, name: str = "file", media_type: str = "") -> WholeDocument:
    return await DocumentReader(readers=OWN_READERS).whole(RawDocument(name, data, media_type))


@pytest.mark.parametrize(("name", "data", "text"), FILES)
@pytest.mark.usefixtures("here")
async def test_documents_are_read_as_they_are(name: str, data: bytes, text: str):
    assert text in (await whole(data, name)).text


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (made.pdf(["x"]), "pdf"),
        (made.word([("a", "b")]), "docx"),
        (made.excel({"a": TABLE}), "xlsx"),
        (made.powerpoint([("a", "b")]), "pptx"),
        (made.open_document("text", ""), "odt"),
        (made.book(["x"]), "epub"),
        (RTF, "rtf"),
        (made.packed({"a": "b"}), "archive"),
        (b"\xd0\xcf\x11\xe0" + bytes(99), "old"),
        (b"\0\0\0\x20ftypheic" + bytes(99), "heic"),
        (b"\0\0\0\x20ftypM4A " + bytes(99), FileKind.RECORDING),
        (b"OggS" + bytes(99), FileKind.RECORDING),
        (b"\x7fELF\0\1", FileKind.BINARY),
        (b"BM is how this text begins", FileKind.TEXT),
        *((made.picture(form=form), "heic" if form == "AVIF" else "picture") for form in FORMS),
    ],
)  # fmt: skip
@pytest.mark.parametrize("lie", [("x.txt", "text/plain"), ("x.png", "image/png"), ("x", "")])
def test_content_decides_and_not_the_name(data: bytes, kind: str, lie: tuple[str, str]):
    reader = OWN_READERS.of(data, *lie)
    assert (reader.kind if reader else kind_of(data, *lie)) == kind


@pytest.mark.usefixtures("here")
async def test_a_mail_is_read_with_what_is_attached_to_it():
    inner = {
        "offer.pdf": made.pdf(["Forty pounds"]),
        "photo.png": made.picture(),
        "old.doc": b"\xd0\xcf\x11\xe0",
        "a.zip": made.packed({"b": "c"}),
    }
    read = await whole(made.mail("See the offer.", inner), "a.eml")
    assert "From: Zoe <zoe@example.org>" in read.text
    assert "See the offer." in read.text
    assert "## attached offer.pdf, page 1\n\nForty pounds" in read.text
    assert "- b (1 bytes)" in read.text
    assert [one.what for one in read.pictures] == ["attached photo.png"]
    assert "the attached old.doc can't be read: it has a password or an old format" in read.note


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (ODD_SENDER, "in May."),
        (b"From: a@\xc8b<c>\r\nSubject: Bill\r\n\r\nForty pounds.\r\n", "Forty pounds."),
        (b"Content-Disposition: a; filename*0*=\r\nSubject: Bill\r\n\r\nForty.\r\n", "Forty."),
    ],
)
@pytest.mark.usefixtures("here")
async def test_a_mail_with_broken_headers_is_read(data: bytes, text: str):
    assert text in (await whole(data, "a.eml")).text


def opened(read: WholeDocument) -> Image.Image:
    (one,) = read.pictures
    assert len(one.data) < 3_600_000
    return Image.open(io.BytesIO(one.data))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.usefixtures("here")
async def test_a_picture_is_turned_and_shrunk(form: str):
    turned = 0 if form in {"GIF", "BMP"} else 6
    read = await whole(made.picture((4_000, 2_000), form, orientation=turned), "x.txt")
    image = opened(read)
    assert image.size == ((EDGE // 2, EDGE) if turned else (EDGE, EDGE // 2))
    assert image.format in {"PNG", "JPEG"}
    assert not image.getexif(), "nothing that the camera noted"
    red, _, blue = image.convert("RGB").getpixel((5, 5))  # type: ignore[misc]
    assert red > 200
    assert blue < 60
    assert read.note == ("2000 x 4000 pixels" if turned else "4000 x 2000 pixels")


@pytest.mark.usefixtures("here")
async def test_a_heic_photo_is_read_where_the_extra_is_there():
    cast("Any", pillow_heif).register_heif_opener()
    image = opened(await whole(made.picture((400, 200), "HEIF"), "IMG_1.HEIC"))
    assert (image.format, image.size) == ("PNG", (400, 200))


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "CMYK", "I;16", "F"])
@pytest.mark.usefixtures("here")
async def test_every_way_to_write_colours_is_taken(mode: str):
    saved = io.BytesIO()
    Image.new(mode, (30, 10)).save(saved, "TIFF")
    assert opened(await whole(saved.getvalue())).mode == "RGB"


@pytest.mark.usefixtures("here")
async def test_of_an_animation_the_first_frame_is_shown():
    read = await whole(made.picture(form="GIF", frames=5))
    assert getattr(opened(read), "n_frames", 1) == 1
    assert read.note.endswith("animated: its first frame")


async def test_scanned_pages_are_pictures():
    read = await whole(made.scanned_pdf(8))
    assert [one.what for one in read.pictures] == [f"page {n}" for n in range(1, 7)]
    assert read.note == "8 of its 8 pages are pictures without text, and 6 of them are shown"
    with pytest.raises(DocumentError, match="run text recognition"):
        await DocumentReader(readers=OWN_READERS).read(RawDocument("a.pdf", made.scanned_pdf(2)))


XXE = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
LAUGHS = (
    '<!DOCTYPE a [<!ENTITY a0 "haha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    + "]>"
)
PACKS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
HOSTILE: list[tuple[bytes | Callable[[], bytes], str]] = [
    (made.open_document("text", P.format("&e;"), before=XXE), "damaged"),
    (made.open_document("text", P.format("&a9;"), before=LAUGHS), "damaged"),
    (made.packed({"content.xml": "<a/>"}, "application/vnd.oasis.opendocument.text"), "damaged"),
    (made.picture((20_000, 6_000), mode="1"), "120 megapixels"),
    (made.picture()[:60], "damaged"),
    (b"\xff\xd8\xff" + bytes(200), "damaged"),
    (b"{\\rtf1" + b"{" * 100_000, ""),
    (made.locked_pdf("secret"), "password"),
    (b"\xd0\xcf\x11\xe0" + bytes(50), "old format"),
    (partial(made.word_bomb, 200), "unpacks to"),
]
"""Large ones are made in their test: every worker reads this table."""


@pytest.mark.parametrize(("data", "told"), HOSTILE)
async def test_hostile_files_get_a_sentence(data: bytes | Callable[[], bytes], told: str):
    hostile = data if isinstance(data, bytes) else data()
    if not told:
        await whole(hostile)
        return
    with pytest.raises(DocumentError, match=told):
        await whole(hostile)


def tarred(names: dict[str, bytes]) -> bytes:
    saved = io.BytesIO()
    with tarfile.open(fileobj=saved, mode="w") as archive:
        for name, content in names.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return saved.getvalue()


async def opened_in(data: bytes, member: str, name: str = "a.zip") -> str:
    return (
        await DocumentReader(readers=OWN_READERS).whole(RawDocument(name, data, member=member))
    ).text


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.usefixtures("here")
async def test_files_in_packed_archives_are_opened(pack: str):
    tar = PACKS[pack](tarred({"a.txt": b"first", "b/c.html": b"<html><body>second</body></html>"}))
    assert await opened_in(tar, "b/c.html", f"x.tar.{pack}") == "second"
    with pytest.raises(DocumentError, match="it is a link, which is not followed"):
        await opened_in(tar, "link", "x.tgz")
    assert await opened_in(PACKS[pack](b"words"), "log.txt", f"log.txt.{pack}") == "words"


MB = 1024 * 1024
HOSTILE_ARCHIVES: list[tuple[bytes | Callable[[], bytes], str, str]] = [
    (lambda: made.packed({"zeros": bytes(40 * MB)}), "zeros", "unpacks to more than 32 MB"),
    (lambda: gzip.compress(bytes(40 * MB)), "a", "unpacks to more than 32 MB"),
    (lambda: gzip.compress(tarred({"big": bytes(200 * MB), "b": b"x"}), 1), "b", "unpacks to"),
    (gzip.compress(tarred({"a": b"b" * 90_000}))[:200], "a", "damaged"),
    (made.packed({"a/b.txt": "x"}), "../../etc/passwd", "no file of this name"),
    (made.packed({"a/b.txt": "x"}), "a", "no file of this name"),
    (b"7z\xbc\xaf\x27\x1c" + bytes(90), "a", ".7z archive, which is not opened here"),
    (b"words", "a", "it is no archive"),
    (
        made.packed({"a.txt": "x"}).replace(
            b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01"
        ),
        "a.txt",
        "protected by a password",
    ),
]


@pytest.mark.parametrize(("data", "member", "why"), HOSTILE_ARCHIVES)
async def test_hostile_archives_get_a_sentence(
    data: bytes | Callable[[], bytes], member: str, why: str
):
    with pytest.raises(DocumentError, match=why):
        await opened_in(data if isinstance(data, bytes) else data(), member, "a")
