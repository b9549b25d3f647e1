"""Pages of a long text cover it without gap or overlap."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.files.pages import PAGE_CHARS, page_of


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
@settings(max_examples=60, deadline=None)
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
