"""Documents of all kinds become parts; hostile ones end in a sentence, within limits."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import DocumentError
from bot.knowledge import document_process
from bot.knowledge.chunks import (
    CHUNK_CHARS,
    OVERLAP_CHARS,
    DocumentSection,
    chunked,
    line_sections,
    markdown_sections,
)
from bot.knowledge.file_readers import FileReaders
from bot.knowledge.file_text import FoundText, ReadingLimits, UnreadableDocument
from bot.knowledge.kinds import FileKind
from bot.knowledge.reading import CPU_S, MOST_BYTES, TEXT_BYTES, DocumentReader, RawDocument
from bot.plugins.document_formats.bounds import LOCKED, UNPACKED_BYTES
from bot.testing import documents
from bot.testing.document_corpus import corpus
from bot.testing.own_readers import OWN_READERS
from bot.testing.reading_batch import read_all
from tests.thoroughness import examples, tried

PAGE = b"""<html><head><title>Pumps</title></head><body><nav>Menu and more menu</nav><article>
<h1>Pumps</h1><p>Pumps move water, and this paragraph is long enough to be the text of the page.</p>
<h2>Service</h2><p>Each pump is serviced in spring, says the second paragraph of this very page.</p>
</article></body></html>"""

READ = [
    ("a.pdf", documents.pdf(["first", "second"]), [("page 1", "first"), ("page 2", "second")]),
    ("a.pdf", documents.pdf(["still text"], script="app.alert\\(1\\)"), [("page 1", "still text")]),
    (
        "a.docx",
        documents.word([("Setup", "Do this"), ("Keys", "# no heading")], [("a", "b"), ("c", "d")]),
        [("Setup", "Do this"), ("Keys", " # no heading\n\na | b\nc | d")],
    ),
    (
        "a.xlsx",
        documents.excel({"Parts": [("id", "name"), (1, "pump")]}),
        [("sheet Parts, row 2", "id | name\n1 | pump")],
    ),
    ("a.md", "# Ä\ntext".encode(), [("Ä", "text")]),
    ("a.py", b"def f():\n    return 1\n", [("lines 1-2", "def f():\n    return 1")]),
    ("a.log", "wide".encode("utf-16"), [("lines 1-1", "wide")]),
    ("old.txt", "café".encode("cp1252"), [("lines 1-1", "café")]),
]


@pytest.mark.parametrize(("name", "data", "parts"), READ)
@pytest.mark.usefixtures("here")
async def test_a_document_is_read_with_what_it_is_cited_by(
    name: str, data: bytes, parts: list[tuple[str, str]]
):
    read = await DocumentReader(readers=OWN_READERS).read(RawDocument(name, data))
    assert [(one.place, one.text) for one in read.parts] == parts


@pytest.mark.usefixtures("here")
async def test_a_page_is_read_by_its_headings_without_its_menu():
    read = await DocumentReader(readers=OWN_READERS).read(
        RawDocument("pumps", PAGE, "text/html", "https://example.org/pumps")
    )
    assert [one.place for one in read.parts] == ["Pumps", "Pumps > Service"]
    assert not any("Menu" in one.text for one in read.parts)


HOSTILE = [
    ("locked.pdf", documents.locked_pdf("secret"), LOCKED),
    ("cut.pdf", documents.pdf(["a"] * 5)[:700], "it is damaged"),
    ("bomb.docx", documents.word_bomb(UNPACKED_BYTES // 1024**2 + 1), "it unpacks to"),
    ("zip.docx", b"PK\x03\x04" + b"\0" * 50, "it is damaged"),
    ("old.xlsx", b"\xd0\xcf\x11\xe0" + b"\0" * 50, "old format"),
    ("drawn.pdf", documents.pdf([""]), "pictures without text"),
    ("program", b"\x7fELF\0\0\1", "of no kind that can be read"),
    ("empty.txt", b" \n", "has no text"),
]


@pytest.mark.parametrize(("name", "data", "words"), HOSTILE)
async def test_unreadable_documents_are_named(name: str, data: bytes, words: str):
    with pytest.raises(DocumentError) as failed:
        await DocumentReader(readers=OWN_READERS).read(RawDocument(name, data))
    assert name in str(failed.value)
    assert words in str(failed.value)


async def test_the_first_of_ten_thousand_pages_are_read_and_the_limit_told():
    data = documents.pdf([f"page number {number}" for number in range(10_000)])
    read = await DocumentReader(pages=20, readers=OWN_READERS).read(RawDocument("big.pdf", data))
    assert [one.place for one in read.parts] == [f"page {number}" for number in range(1, 21)]
    assert read.note == "only the first 20 of 10,000 pages were read"


async def test_a_reader_that_takes_too_long_is_ended():
    with pytest.raises(
        DocumentError, match=r"slow\.pdf takes more time or memory than a document may"
    ):
        await DocumentReader(wall_s=0.001, readers=OWN_READERS).read(
            RawDocument("slow.pdf", documents.pdf(["a"]))
        )


async def test_a_document_that_is_too_large_is_never_parsed():
    with pytest.raises(DocumentError, match="the most is 32 MB"):
        await DocumentReader(readers=OWN_READERS).read(
            RawDocument("big.txt", b"a" * (MOST_BYTES + 1))
        )


def test_whatever_the_reader_of_a_text_raises_is_told_as_a_broken_file(
    monkeypatch: pytest.MonkeyPatch,
):
    def trips(data: bytes, limits: ReadingLimits) -> FoundText:
        raise RecursionError("too deep")

    monkeypatch.setitem(vars(document_process)["_TEXTS"], FileKind.MARKDOWN, trips)
    with pytest.raises(UnreadableDocument, match="it is damaged, or no markdown"):
        document_process.found_in(b"# a", "", ReadingLimits(name="a.md"), FileReaders([]))


# Parts of documents: about 1,000 characters, overlapping, within a heading, complete.


def places(text: str) -> list[tuple[str, str]]:
    return [(one.place, one.text) for one in chunked(markdown_sections(text))]


def test_a_part_never_crosses_a_heading_and_names_the_path_to_it():
    text = "before\n# Setup\nfirst\n## Keys\nsecond\n### Old\nthird\n# Use\nfourth"
    assert places(text) == [
        ("", "before"),
        ("Setup", "first"),
        ("Setup > Keys", "second"),
        ("Setup > Keys > Old", "third"),
        ("Use", "fourth"),
    ]


def test_a_hash_in_code_is_no_heading():
    text = "# Run\n```sh\n# a comment\nmake\n```\n~~~~\n# more\n```\n~~~~\nend"
    assert [place for place, _ in places(text)] == ["Run"]


def test_a_deeper_heading_without_its_parents_is_named_alone():
    assert places("### Deep\na\n# Top\nb") == [("Deep", "a"), ("Top", "b")]


def test_lines_are_cited_as_an_editor_counts_them():
    text = "\n".join(f"line {number}" for number in range(1, 301))
    parts = list(chunked(line_sections(text)))
    for part in parts:
        first, last = part.place.removeprefix("lines ").split("-")
        lines = part.text.splitlines()
        assert (lines[0], lines[-1]) == (f"line {first}", f"line {last}")
    assert len(parts) > 2


def test_a_long_text_overlaps_and_is_cut_between_sentences():
    text = " ".join(f"This is sentence number {number}." for number in range(200))
    parts = [one.text for one in chunked([DocumentSection("page 1", text)])]
    assert all(part.startswith("This") and part.endswith(".") for part in parts)
    for earlier, later in pairwise(parts):
        shared = later.split(".")[0] + "."
        assert shared in earlier[-2 * OVERLAP_CHARS :]


@settings(max_examples=examples(60))
@given(st.text(alphabet=st.sampled_from("ab é。.\n #`"), max_size=4_000))
def test_every_word_of_any_text_stands_in_a_part_that_is_small_enough(text: str):
    parts = [one.text for one in chunked(line_sections(text))]
    assert all(len(part) <= CHUNK_CHARS for part in parts)
    words = [word for word in text.split() if len(word) <= OVERLAP_CHARS]
    assert all(any(word in part for part in parts) for word in set(words))


# What a model gets of each file of the corpus, within the limits of the reading process.


@pytest.mark.thorough
@pytest.mark.slow
def test_every_file_of_the_corpus_gives_what_is_expected():
    all_of_them = corpus()
    cases = {one.file.name: one for one in all_of_them}
    assert len(cases) == len(all_of_them) >= 170, "each name once"
    found = {one.name: one for one in read_all(one.file for one in tried(cases.values(), 3))}
    wrong = {name: cases[name].wrong(one) for name, one in found.items()}
    assert {name: why for name, why in wrong.items() if why} == {}
    for one in found.values():
        assert one.megabytes * 1024**2 <= TEXT_BYTES, one
        assert one.seconds < CPU_S / 2, one
