"""Virtual paths have one spelling, find their owner, and lead out of no folder."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.files import FileEntry
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files.directory_files import DirectoryFiles
from bot.files.paths import ancestors, is_below, normalise
from bot.files.virtual import VirtualFiles
from bot.testing.contexts import make_context, make_person
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


# Paths find their owner: the longest prefix wins, and errors name what there is.


def folder(root: Path, name: str, **texts: str) -> Path:
    made = root / name
    made.mkdir()
    for stem, text in texts.items():
        (made / f"{stem}.md").write_text(text)
    return made


@pytest.fixture
def nested(tmp_path: Path) -> VirtualFiles:
    return VirtualFiles(
        [
            DirectoryFiles("/docs", [folder(tmp_path, "outer", a="outer a", b="outer b")]),
            DirectoryFiles("/docs/inner", [folder(tmp_path, "inner", a="inner a")]),
            DirectoryFiles("/far/away", [folder(tmp_path, "far", a="far a")]),
        ]
    )


async def test_the_longest_prefix_owns_a_path(nested: VirtualFiles):
    context = make_context()
    assert (await nested.read(context, "/docs/a.md")).text == "outer a"
    assert (await nested.read(context, "/docs/inner/a.md")).text == "inner a"
    assert (await nested.read(context, "//docs/./inner//a.md")).text == "inner a"


async def test_listings_show_mounts_beside_files(nested: VirtualFiles):
    async def names(path: str) -> list[str]:
        return [
            entry.path + "/" * entry.directory for entry in await nested.list(make_context(), path)
        ]

    assert await names("/") == ["/docs/", "/far/"]
    assert await names("/docs") == ["/docs/a.md", "/docs/b.md", "/docs/inner/"]
    assert await names("/far") == ["/far/away/"]


async def test_an_unowned_path_is_refused_with_the_roots(nested: VirtualFiles):
    for path in ("/docs2/a.md", "/etc/passwd", "/far/b.md"):
        with pytest.raises(ToolError, match="the roots here are /docs, /docs/inner, /far/away"):
            await nested.read(make_context(), path)
        with pytest.raises(ToolError, match="the roots here are"):
            await nested.write(make_context(), path, "x", None)


async def test_files_and_folders_are_told_apart(nested: VirtualFiles):
    for path in ("/", "/docs", "/docs/inner", "/far"):
        with pytest.raises(ToolError, match="is a folder"):
            await nested.read(make_context(), path)
    with pytest.raises(ToolError, match=r"/docs/a\.md is a file"):
        await nested.list(make_context(), "/docs/a.md")
    with pytest.raises(ToolError, match="there is no folder /docs/none"):
        await nested.list(make_context(), "/docs/none")


async def test_a_source_may_own_one_file(tmp_path: Path, files: VirtualFiles):
    class OneFile(DirectoryFiles):
        def _parts(self, path: str) -> tuple[str, ...]:
            return ("a.md",) if path == self.prefix else ()

    one = OneFile("/preferences/permissions.md", [folder(tmp_path, "policy", a="allow: all")])
    both = VirtualFiles([one, *files._sources.values()])
    listed = {entry.path: entry for entry in await both.list(make_context(), "/preferences")}
    assert not listed["/preferences/permissions.md"].directory
    assert (await both.read(make_context(), "/preferences/permissions.md")).text == "allow: all"


async def test_a_file_that_somebody_cannot_read_is_not_listed_as_a_folder(files: VirtualFiles):
    class Closed(DirectoryFiles):
        async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
            return None

    closed = Closed("/preferences/permissions.md", [])
    both = VirtualFiles([closed, *files._sources.values()])
    listed = [entry.path for entry in await both.list(make_context(), "/preferences")]
    assert "/preferences/permissions.md" not in listed
    for look in (both.read, both.list):
        with pytest.raises(ToolError, match=r"permissions\.md is there, but this person may not"):
            await look(make_context(), "/preferences/permissions.md")


def test_two_sources_with_one_prefix_are_a_mistake(tmp_path: Path):
    with pytest.raises(ValueError, match="two file sources claim /docs"):
        VirtualFiles([DirectoryFiles("/docs", []), DirectoryFiles("/docs/", [tmp_path])])


async def test_a_tree_without_sources_says_so():
    with pytest.raises(ToolError, match="the roots here are none"):
        await VirtualFiles([]).read(make_context(make_person(role=Role.GUEST)), "/a.md")
