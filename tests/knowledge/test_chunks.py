"""Parts of documents: about 1,000 characters, overlapping, within a heading, complete."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.knowledge.chunks import (
    CHUNK_CHARS,
    OVERLAP_CHARS,
    DocumentSection,
    chunked,
    line_sections,
    markdown_sections,
)
from tests.thoroughness import examples


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
