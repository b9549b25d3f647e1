"""Virtual paths have one spelling, and no spelling leads out of its folder."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ToolError
from bot.files.paths import ancestors, is_below, normalise
from tests.thoroughness import examples

STEPS = st.sampled_from(
    [
        "a",
        "docs",
        "..",
        ".",
        "",
        "...",
        "%2e%2e",
        "%252E.",
        "\uff0e\uff0e",
        "\u2024\u2024",
        "\u2025",
        "\\..",
        "..\\",
        "a\0b",
        " ..",
        ".. ",
        "\u202e",
        "\uff0f..",
        "é",
        "e\u0301",
        "%2f",
        "x" * 300,
        "~",
        "C:",
        "\ud800",
        "..;",
        "file:",
        "-",
    ]
)


@given(steps=st.lists(STEPS, max_size=8), lead=st.sampled_from(["/", "//", "", "./", "/./"]))
@settings(max_examples=examples(3000), deadline=None)
def test_no_path_escapes_and_accepted_ones_are_canonical(steps: list[str], lead: str):
    try:
        path = normalise(lead + "/".join(steps))
    except ToolError:
        return
    assert path.startswith("/")
    assert normalise(path) == path
    parts = path.split("/")[1:] if path != "/" else []
    assert all(part.strip(". ") for part in parts)
    assert not any(character in path for character in "\\\0\u202e\ud800")
    assert "%2e" not in path.casefold()


@given(text=st.text(max_size=60))
@settings(max_examples=examples(2000), deadline=None)
def test_any_text_is_either_refused_or_canonical(text: str):
    try:
        path = normalise("/" + text)
    except ToolError:
        return
    assert normalise(path) == path
    assert ".." not in path.split("/")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "/"),
        ("//a///b/", "/a/b"),
        ("/a/./b", "/a/b"),
        ("/e\u0301.md", "/é.md"),
        ("/a b/..c", "/a b/..c"),
    ],
)
def test_equal_paths_get_one_spelling(path: str, expected: str):
    assert normalise(path) == expected


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("documents/a.md", "not an absolute path"),
        ("", "not an absolute path"),
        ("/a/../b", "made of dots"),
        ("/a\\b", "backslash"),
        ("/a/%2E%2e/b", "encoded dot"),
        ("/a/%252e", "encoded dot"),
        ("/a\nb", "control character"),
        ("/a/ b", "begins or ends with a space"),
        ("/" + "x" * 256, "longer than 255 bytes"),
        ("/" + "x/" * 600, "longer than 1024 bytes"),
    ],
)
def test_refusals_name_the_reason(path: str, reason: str):
    with pytest.raises(ToolError, match=reason):
        normalise(path)


def test_a_sibling_with_the_same_beginning_is_not_below():
    assert is_below("/docs/a", "/docs")
    assert is_below("/docs", "/docs")
    assert not is_below("/docs2/a", "/docs")
    assert is_below("/docs", "/")


def test_ancestors_are_the_folders_of_a_path():
    assert ancestors("/a/b/c.md") == ("/a", "/a/b")
    assert ancestors("/a") == ()
