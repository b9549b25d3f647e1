"""Pages of a long text cover it without gap or overlap."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.files.pages import HEADER_CHARS, PAGE_CHARS, TextPage, page_of
from tests.thoroughness import examples


def test_a_short_text_is_one_page():
    page = page_of("a\nb\n")
    assert page is not None
    assert page.whole
    assert page.text == "a\nb\n"


def test_an_empty_text_is_one_empty_page_and_nothing_beyond():
    page = page_of("")
    assert page is not None
    assert page.whole
    assert page_of("", offset=2) is None
    assert page_of("a\n", offset=2) is None


def test_the_header_says_where_to_go_on():
    page = page_of("a\nb\nc\nd", offset=2, limit=2)
    assert page is not None
    assert page.text == "b\nc\n"
    assert page.header == "[lines 2-3 of 4; go on with offset 4]"
    last = page_of("a\nb\nc\nd", offset=4)
    assert last is not None
    assert last.header == "[lines 4-4 of 4]"


def test_a_line_longer_than_a_page_is_cut_and_said_so():
    page = page_of("x" * (PAGE_CHARS + 10) + "\nnext\n")
    assert page is not None
    assert len(page.text) == PAGE_CHARS
    assert "cut after" in page.header
    assert page.header.endswith("go on with offset 2]")


@given(lines=st.lists(st.integers(0, PAGE_CHARS), max_size=12), end=st.sampled_from(["", "\n"]))
@settings(max_examples=examples(60), deadline=None)
def test_pages_put_together_are_the_text(lines: list[int], end: str):
    text = "\n".join("x" * (length % (PAGE_CHARS - 1)) for length in lines) + (end if lines else "")
    offset, read = 1, ""
    while (page := page_of(text, offset)) is not None:
        assert len(page.text) <= PAGE_CHARS
        read += page.text
        if page.last >= page.total:
            break
        offset = page.last + 1
    assert read == text


@given(lines=st.lists(st.integers(0, 25), max_size=6), skip=st.integers(0, 30))
def test_a_line_longer_than_a_page_can_be_read_to_its_end(lines: list[int], skip: int):
    text = "\n".join("".join(chr(97 + n % 26) for n in range(length)) for length in lines)
    page = page_of(text, chars=10, skip=skip)
    if page is None:
        assert skip >= len(text.split("\n")[0])
        return
    read = text[:skip] + page.text
    while page.cut or page.last < page.total:
        offset, skip = (page.last, page.cut) if page.cut else (page.last + 1, 0)
        page = page_of(text, offset, chars=10, skip=skip)
        if page is None:  # the last line ended with its page
            break
        assert not page.whole
        read += page.text
    assert read == text


def test_the_header_of_a_cut_line_says_how_to_read_its_rest():
    page = page_of("x" * 25 + "\nnext\n", chars=10, skip=10)
    assert page is not None
    assert page.header == (
        "[lines 1-1 of 2, the first without 10 characters, the last one cut after 20 characters"
        " (rest: offset 1, skip 20); go on with offset 2]"
    )
    rest = page_of("x" * 25 + "\nnext\n", chars=10, skip=20)
    assert rest is not None
    assert rest.text == "xxxxx\n"
    huge = 12_345_678
    assert len(TextPage("x", huge, huge, huge + 1, cut=huge, skipped=huge).header) <= HEADER_CHARS
