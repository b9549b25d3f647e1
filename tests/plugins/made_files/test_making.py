"""Files that are made on request, read back by the readers of files that people send."""

import asyncio
import io
from typing import Any

import docx
import openpyxl
import pytest
from icalendar import Calendar
from PIL import Image
from pypdf import PdfReader

from bot.errors import DocumentError
from bot.knowledge.reading import DocumentReader, RawDocument
from bot.plugins.made_files import maker
from bot.plugins.made_files.maker import FileMaker
from bot.plugins.made_files.orders import (
    DateEntry,
    FileOrder,
    MadeFile,
    MadeKind,
    PlotOrder,
    Series,
)
from bot.testing.own_readers import OWN_READERS
from bot.testing.read_here import make_here

ALPHABETS = "Grüße, naïve façade, Αθήνα, Москва, Łódź, €"
TEXT = f"""\
# The plan

{ALPHABETS} with **bold**, *slanted*, `code` and [a link](https://x.example/a).

<script>alert(1)</script> ![gone](file:///etc/passwd)

1. first
2. second
   - below

7. seventh

> quoted

```
x = 1
```

| item | sum |
|---|---|
| desk | 40 |
| =1+1 | -5 |
"""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maker, "run_limited", make_here)


async def made(kind: str, content: str = "", **more: Any) -> MadeFile:
    order = FileOrder(MadeKind(kind), "Plan", content, made_at="2026-11-25T00:00:00+00:00", **more)
    return await FileMaker().make(order)


async def test_a_word_document_reads_as_it_was_written():
    data = (await made("docx", TEXT)).data
    document = docx.Document(io.BytesIO(data))
    texts = [one.text for one in document.paragraphs]
    assert texts[0] == "The plan"
    assert f"{ALPHABETS} with bold, slanted, code and a link (https://x.example/a)." in texts
    assert {"1.\tfirst", "2.\tsecond", "•\tbelow", "7.\tseventh"} & {*texts} >= {"1.\tfirst"}
    assert "<script>alert(1)</script> ![gone](file:///etc/passwd)" in texts
    bold = [run.text for one in document.paragraphs for run in one.runs if run.bold]
    assert "bold" in bold
    read = await DocumentReader(readers=OWN_READERS).whole(RawDocument("plan.docx", data))
    assert "| desk | 40 |" in read.text


@pytest.mark.usefixtures("here")
async def test_a_pdf_shows_letters_of_several_alphabets():
    file = await made("pdf", TEXT)
    text = PdfReader(io.BytesIO(file.data)).pages[0].extract_text()
    assert ALPHABETS in text
    assert "desk" in text
    assert "(https://x.example/a)" in text, "the address of a link is printed"
    assert "root:" not in text, "no file is opened for a picture"
    assert file.note == ""
    asia = await made("pdf", "東京 is far")
    assert asia.note == "characters that the PDF can't show were replaced: 京 東"


@pytest.mark.usefixtures("here")
async def test_tables_hold_numbers_and_never_formulas():
    rows: Any = (
        ("item", "sum", "zip"),
        ("=1+1", "40", "01234"),
        ("@x", -2.5, None),
        ("-5", "+x", True),
    )
    book: Any = openpyxl.load_workbook(io.BytesIO((await made("xlsx", rows=rows)).data))
    cells = [[(cell.value, cell.data_type) for cell in row] for row in book.active]
    assert cells == [
        [("item", "s"), ("sum", "s"), ("zip", "s")],
        [("=1+1", "s"), (40, "n"), ("01234", "s")],
        [("@x", "s"), (-2.5, "n"), (None, "n")],
        [(-5, "n"), ("+x", "s"), (True, "b")],
    ]
    text = (await made("csv", rows=rows)).data.decode("utf-8-sig")
    assert text.splitlines() == ["item,sum,zip", "'=1+1,40,01234", "'@x,-2.5,", "-5,'+x,True"]


@pytest.mark.usefixtures("here")
async def test_each_table_of_a_text_is_a_sheet():
    two = "# May [1]\n\n|a|\n|-|\n|1|\n\n# May [1]\n\n|b|\n|-|\n|2|\n"
    book = openpyxl.load_workbook(io.BytesIO((await made("xlsx", two)).data))
    assert book.sheetnames == ["May  1", "May  1 2"]
    with pytest.raises(DocumentError, match="holds one table and there are 2"):
        await made("csv", two)
    with pytest.raises(DocumentError, match="there is no table in it"):
        await made("csv", "no table")


@pytest.mark.usefixtures("here")
async def test_dates_are_what_calendars_read():
    long = "Mittagessen mit Zoë; " * 8
    events = (
        DateEntry(long, "2026-12-01T12:00", place="Café, Berlin"),
        DateEntry("Days off", "2026-12-24", "2026-12-26"),
        DateEntry("Call", "2026-12-01T12:00:00+00:00", "2026-12-01T12:30:00+00:00", notes="a\nb"),
    )
    data = (await made("ics", events=events, zone="Europe/Berlin")).data
    assert max(map(len, data.split(b"\r\n"))) <= 75
    calendar: Any = Calendar.from_ical(data)
    lunch, days, call = calendar.walk("VEVENT")
    assert lunch["summary"] == long
    assert lunch["dtstart"].dt.isoformat() == "2026-12-01T12:00:00+01:00"
    assert lunch["dtend"].dt.isoformat() == "2026-12-01T13:00:00+01:00"
    assert (str(days["dtstart"].dt), str(days["dtend"].dt)) == ("2026-12-24", "2026-12-27")
    assert call["description"] == "a\nb"
    assert len({str(one["uid"]) for one in (lunch, days, call)}) == 3


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (DateEntry("Lunch", "tomorrow"), "Lunch: 'tomorrow' is no date"),
        (DateEntry("Lunch", "2026-12-02", "2026-12-01"), "ends before it starts"),
        (DateEntry("Lunch", "2026-12-02", "2026-12-02T10:00"), "both be days"),
    ],
)
@pytest.mark.usefixtures("here")
async def test_a_date_that_is_none_is_said(event: DateEntry, told: str):
    with pytest.raises(DocumentError, match=told):
        await made("ics", events=(event,))


@pytest.mark.parametrize(
    ("kind", "series"),
    [
        (
            "line",
            (
                Series((1, 3, 2), ("Jan", "Feb", "März"), "Αθήνα $x$"),
                Series((2, 2), ("Jan", "Feb")),
            ),
        ),
        ("bar", (Series((1, -3)), Series((2, 2, 5), (2024, 2025, 2026), "b"))),
        ("scatter", (Series((1, 3), (0.5, 2.25)),)),
        ("histogram", (Series(tuple(range(100))), Series((1.0,), (), "one"))),
    ],
)
@pytest.mark.usefixtures("here")
async def test_numbers_become_a_picture(kind: str, series: tuple[Series, ...]):
    plot = PlotOrder(kind, series, "Umsatz", "Monat", "EUR")
    picture = Image.open(io.BytesIO((await made("png", plot=plot)).data))
    assert picture.format == "PNG"
    assert picture.size == (1040, 624)
    assert len(picture.convert("RGB").getcolors(100_000) or ()) > 10


@pytest.mark.parametrize(
    ("plot", "told"),
    [
        (PlotOrder("line", (Series((1, 2), (1,), "a"),)), "series 'a' has 1 x and 2 y"),
        (PlotOrder("histogram", (Series((1,), (1,)),)), "leave x out"),
    ],
)
@pytest.mark.usefixtures("here")
async def test_numbers_that_do_not_fit_are_said(plot: PlotOrder, told: str):
    with pytest.raises(DocumentError, match=told):
        await made("png", plot=plot)


async def test_what_takes_too_much_is_a_sentence_and_the_next_file_is_made():
    maker = FileMaker()
    rows = tuple(tuple(f"{n} {'x' * 200}" for _ in range(60)) for n in range(2_000))
    huge = maker.make(FileOrder(MadeKind.CSV, rows=rows))
    small = maker.make(FileOrder(MadeKind.CSV, rows=(("a",),)))
    first, second = await asyncio.gather(huge, small, return_exceptions=True)
    assert isinstance(first, DocumentError)
    assert "make it shorter" in str(first)
    assert isinstance(second, MadeFile)
