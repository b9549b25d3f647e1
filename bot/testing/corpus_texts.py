"""The corpus of files that people post, first part: texts, tables, pages, mails, archives."""

import bz2
import gzip
import io
import lzma
import sqlite3
import tarfile
import zipfile
from collections.abc import Sequence
from contextlib import closing
from typing import Any, cast

from bot.testing import documents as made
from bot.testing.corpus_case import Case, case, refused

_TONGUES = (
    ("cp1252", "Die Größe der Tür beträgt zwölf Fuß, schön für müde Gäste über fünfzig. "),
    ("cp1251", "Счёт за уборку помещений в мае составляет сорок рублей, оплата по договору. "),
    ("koi8_r", "Договор аренды помещения подписан в понедельник обеими сторонами сделки. "),
    ("shift_jis", "会議は金曜日の午後三時に始まります。資料を持って来てください。"),
    ("gb18030", "会议将于星期五下午三点开始，请大家带上所有的文件和笔记本。"),  # noqa: RUF001
    ("big5", "會議將於星期五下午三點開始，請大家帶上所有的文件和筆記本。"),  # noqa: RUF001
    ("euc_kr", "회의는 금요일 오후 세시에 시작합니다. 자료를 가지고 오시기 바랍니다. "),
    ("cp1253", "Η συνάντηση θα γίνει την Παρασκευή το απόγευμα στις τρεις στο γραφείο. "),  # noqa: RUF001
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl šéf při schůzi v úterý. "),
)
_LOG = "".join(f"2026-11-24 10:{n:02}:00 worker-3 ERROR timeout after {n} s\n" for n in range(60))
_ICS = (
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Dentist\r\nDTSTART:20261201T090000Z\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)
_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script href="http://127.0.0.1:9/x"/><text>Hi</text></svg>'
_PAGE = (
    "<html><head><meta charset='{0}'><title>Menü</title></head><body><article><h1>Menü</h1>"
    "<p>Die Suppe kostet fünf Euro und ist heute aus Kürbis gemacht.</p></article></body></html>"
)
_TRICKS = (
    "<html><body><h1>Offer</h1><p>The desk costs forty pounds this week.</p>"
    "<script>document.write('SCRIPTED')</script><iframe src='http://127.0.0.1:9/'></iframe>"
    "<img src='http://127.0.0.1:9/pixel.png'><link rel='stylesheet' href='http://127.0.0.1:9/s'>"
    "<p style='display:none'>HIDDEN ORDER</p></body></html>"
)


def texts() -> list[Case]:
    return [
        case("notes.txt", b"Buy milk.\r\nCall Tom.", "Buy milk.", "Call Tom."),
        case("bom.txt", "\ufeffGrüße".encode(), "Grüße", never=("\ufeff",)),
        case("wide.txt", "Grüße aus Köln".encode("utf-16"), "Grüße aus Köln"),
        case("wide_le.txt", "plain wide words here".encode("utf-16-le"), "plain wide words here"),
        case("wide_be.txt", "plain wide words here".encode("utf-16-be"), "plain wide words here"),
        *(case(f"{code}.txt", (text * 5).encode(code), text.strip()) for code, text in _TONGUES),
        case("few.txt", "café".encode("cp1252"), "café"),
        case("server.log", _LOG.encode(), "10:59:00 worker-3 ERROR timeout after 59 s"),
        case("data.json", b'{"total": 40, "items": ["desk"]}', '"total": 40'),
        case("compose.yaml", b"services:\n  db:\n    image: postgres\n", "image: postgres"),
        case("main.py", b"def total():\n    return 40\n", "    return 40"),
        case("query.sql", b"SELECT total FROM bills WHERE id = 4;", "SELECT total"),
        case("Dockerfile", b"FROM python:3.11\nRUN make\n", "FROM python:3.11"),
        case("change.diff", b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "+b"),
        case("README.md", b"# Pumps\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "# Pumps", "| 1 | 2 |"),
        case(
            "talk.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hello Tom", "<v Ann>Hello Tom"
        ),
        case("film.srt", b"1\n00:00:01,000 --> 00:00:02,000\nHello\n", "Hello"),
        case("dentist.ics", _ICS.encode(), "SUMMARY:Dentist"),
        case("tom.vcf", b"BEGIN:VCARD\nFN:Tom Low\nTEL:555\nEND:VCARD\n", "FN:Tom Low"),
        case("feed.xml", b"<?xml version='1.0'?><a><b>forty</b></a>", "<b>forty</b>"),
        case("logo.svg", _SVG.encode(), "<text>Hi</text>"),
        case("paper.tex", rb"\section{Costs} Forty $x^2$", r"\section{Costs}"),
        case("one_line.txt", b"word " * 50_000, "word word"),
        case("colours.log", b"\x1b[31mfailed\x1b[0m step 4", "failed", "step 4"),
        case("turned.txt", "abc\u202egpj.exe".encode(), "gpj.exe"),
        case(
            "half.txt", b"first words" + b"\xc3\x28" + b" last words", "first words", "last words"
        ),
        refused("zeros.bin", bytes(2_000), "of no kind that can be read"),
        case("bills.csv", b'name,sum\n"Low, Tom",40\n', "name,sum", '"Low, Tom",40'),
        case("german.csv", "Name;Summe\nMüller;40,00\n".encode("cp1252"), "Müller;40,00"),
        case("tabs.tsv", b"name\tsum\nTom\t40\n", "Tom\t40"),
        case("wide.csv", (",".join(map(str, range(2_000))) + "\n").encode(), "1999"),
        case("letter.rtf", rb"{\rtf1\ansi\ansicpg1252 caf\'e9 {\b total} 40\par}", "café total 40"),
        case("uni.rtf", rb"{\rtf1\ansi Gr\u252?\'dfe aus K\u246?ln}", "Grüße aus Köln"),
        case(
            "table.rtf", rb"{\rtf1 \trowd\intbl desk\cell 40\cell\row\pard after}", "desk", "after"
        ),
        case(
            "object.rtf", rb"{\rtf1 before {\object\objdata 0105000002} after}", "before", "after"
        ),
    ]


def pages() -> list[Case]:
    return [
        case("menu.html", _PAGE.format("utf-8").encode(), "Suppe kostet fünf Euro"),
        case("menu_old.html", _PAGE.format("iso-8859-1").encode("latin-1"), "fünf Euro", "Kürbis"),
        case(
            "piece.html", b"<p>Just a piece of a page, with some words in it.</p>", "Just a piece"
        ),
        case("tricks.html", _TRICKS.encode(), "forty pounds", never=("SCRIPTED", "HIDDEN ORDER")),
        case(
            "prices.html",
            b"<html><body><table><tr><th>item</th><th>sum</th></tr><tr><td>desk</td><td>40</td>"
            b"</tr></table><p>Prices of this week for all members.</p></body></html>",
            "desk",
            "40",
        ),
        case("empty.html", b"<html><body></body></html>"),
        case("deep.html", b"<html><body>" + b"<div>" * 3_000 + b"deep words" + b"</div>" * 3_000),
        case(
            "no_end.html", b"<html><body><p>The words before it ends, without an end", "The words"
        ),
    ]


_ALTERNATIVE = (
    b"From: Zoe <zoe@example.org>\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\n'
    b"Content-Type: text/plain; charset=iso-8859-1\r\n\r\nPlain f\xfcnf\r\n--b\r\n"
    b"Content-Type: text/html\r\n\r\n<p>Rich</p>\r\n--b--\r\n"
)
_HTML_MAIL = (
    b"From: shop@example.org\r\nSubject: Bill\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    b"<html><body><p>Your bill is forty pounds, payable in May.</p>"
    b"<img src='http://127.0.0.1:9/track'></body></html>"
)


def mails() -> list[Case]:
    inner = made.mail("The inner words.", {"deep.pdf": made.pdf(["Deep page"])})
    return [
        case(
            "plain.eml", made.mail("See you on Friday.", {}), "Subject: Offer", "See you on Friday."
        ),
        case("both.eml", _ALTERNATIVE, "Subject: Grüße", "Plain fünf", never=("Rich",)),
        case("bill.eml", _HTML_MAIL, "forty pounds", never=("http://127",)),
        case(
            "files.eml",
            made.mail(
                "Here.", {"a.pdf": made.pdf(["Forty pounds"]), "b.docx": made.word([("H", "T")])}
            ),
            "attached a.pdf, page 1",
            "Forty pounds",
            "# H",
        ),
        case("photo.eml", made.mail("Look.", {"a.png": made.picture()}), "Look.", pictures=1),
        case(
            "nested.eml",
            made.mail("Outer.", {"in.eml": inner}),
            "Outer.",
            "The inner words.",
            "it is a file within a file",
            never=("Deep page",),
        ),
        case(
            "many.eml",
            made.mail("Many.", {f"{n}.txt": b"x" for n in range(14)}),
            "Many.",
            "4 more attached files were not read",
        ),
        case("no_end.eml", _ALTERNATIVE[:-40], "Subject: Grüße"),
    ]


def _tar(names: Sequence[str], mode: str = "w") -> bytes:
    saved = io.BytesIO()
    with cast("Any", tarfile).open(fileobj=saved, mode=mode) as archive:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 3
            archive.addfile(member, io.BytesIO(b"abc"))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return saved.getvalue()


def _bomb(megabytes: int) -> bytes:
    saved = io.BytesIO()
    with (
        zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("zeros", "w", force_zip64=True) as entry,
    ):
        for _ in range(megabytes):
            entry.write(bytes(1024 * 1024))
    return saved.getvalue()


def _table() -> bytes:
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE a (b)")
        return base.serialize()


def archives() -> list[Case]:
    foreign = "which is not opened here; pack it as .zip"
    return [
        case("photos.zip", made.packed({"in/a.txt": "hello", "b.txt": ""}), "- in/a.txt (5 bytes)"),
        case("climb.zip", made.packed({"../../etc/passwd": "x"}), "- ../../etc/passwd (1 bytes)"),
        case("empty.zip", made.packed({}), "(empty)"),
        case(
            "inner.zip", made.packed({"a.zip": made.packed({"b": "c"})}), "- a.zip", never=("- b",)
        ),
        case("bomb.zip", _bomb(300), "- zeros (314,572,800 bytes)"),
        case("many.zip", made.packed({f"f{n}": "" for n in range(500)}), "300 more are not listed"),
        case("lines.zip", made.packed({"a\nb\x1b[31m": "x"}), "- a b"),
        case("files.tar", _tar(["a.txt", "b/c.txt"]), "- a.txt (3 bytes)", "- link (0 bytes)"),
        case("files.tar.gz", _tar(["a.txt"], "w:gz"), "- a.txt (3 bytes)"),
        case("log.gz", gzip.compress(b"words"), "- log", never=("log.gz",)),
        case("log.bz2", bz2.compress(b"words"), "- log", never=("log.bz2",)),
        case("log.xz", lzma.compress(b"words"), "- log", never=("log.xz",)),
        refused("a.7z", b"7z\xbc\xaf\x27\x1c" + bytes(90), foreign),
        refused("a.rar", b"Rar!\x1a\x07\x01\x00" + bytes(90), foreign),
        refused("cut.zip", made.packed({"a": "b" * 900})[:60], "it is damaged"),
    ]


def others() -> list[Case]:
    none = "of no kind that can be read"
    old = "old format"
    return [
        refused("letter.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), old),
        refused("sums.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(700), old),
        refused("locked.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(800), "password"),
        refused("voice.ogg", b"OggS" + bytes(90), none),
        refused("song.mp3", b"ID3\x04" + bytes(90), none),
        refused("call.wav", b"RIFF\x24\0\0\0WAVEfmt " + bytes(90), none),
        refused("film.mp4", b"\0\0\0\x20ftypisom" + bytes(90), none),
        refused("memo.m4a", b"\0\0\0\x20ftypM4A " + bytes(90), none),
        refused("screen.webm", b"\x1aE\xdf\xa3" + bytes(90), none),
        refused("program", b"\x7fELF\x02\x01\x01" + bytes(90), none),
        refused("setup.exe", b"MZ\x90\0\x03" + bytes(90), none),
        refused("home.sqlite", _table(), none),
        refused("rows.parquet", b"PAR1\x15\0\x15" + bytes(90) + b"PAR1", none),
        refused("font.woff2", b"wOF2\0\1\0\0" + bytes(90), none),
    ]
