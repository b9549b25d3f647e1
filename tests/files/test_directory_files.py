"""Folders on disk are read through the virtual paths only, home before shipped."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ToolError
from bot.files.directory_files import FILE_BYTES, DirectoryFiles
from bot.files.virtual import VirtualFiles
from bot.testing.contexts import make_context
from tests.thoroughness import examples

SECRET = "the operator's secret"


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Path, Path]:
    home, shipped = tmp_path / "home", tmp_path / "shipped"
    for root, name in ((home, "trip"), (shipped, "trip"), (shipped, "mail")):
        (root / name).mkdir(parents=True)
        (root / name / "SKILL.md").write_text(f"{root.name} {name}\n")
    (tmp_path / "secret.md").write_text(SECRET)
    return home, shipped


async def text_at(files: VirtualFiles, path: str) -> str:
    return (await files.read(make_context(), path)).text


async def test_the_home_wins_over_what_is_shipped(roots: tuple[Path, Path]):
    files = VirtualFiles([DirectoryFiles("/skills", roots)])
    assert await text_at(files, "/skills/trip/SKILL.md") == "home trip\n"
    assert await text_at(files, "/skills/mail/SKILL.md") == "shipped mail\n"
    listed = await files.list(make_context(), "/skills")
    assert [(entry.path, entry.directory) for entry in listed] == [
        ("/skills/mail", True),
        ("/skills/trip", True),
    ]


async def test_links_hidden_files_pipes_and_missing_roots_are_not_there(
    roots: tuple[Path, Path], tmp_path: Path
):
    home, _ = roots
    (home / "link.md").symlink_to(tmp_path / "secret.md")
    (home / "out").symlink_to(tmp_path)
    (home / ".env").write_text(SECRET)
    os.mkfifo(home / "pipe")
    files = VirtualFiles([DirectoryFiles("/skills", [home, tmp_path / "nowhere"])])
    for path in ("/skills/link.md", "/skills/out/secret.md", "/skills/.env", "/skills/pipe"):
        with pytest.raises(ToolError, match="there is no file"):
            await files.read(make_context(), path)
    assert [entry.path for entry in await files.list(make_context(), "/skills")] == ["/skills/trip"]


async def test_nothing_can_be_written(roots: tuple[Path, Path]):
    files = VirtualFiles([DirectoryFiles("/skills", roots)])
    with pytest.raises(ToolError, match="read-only"):
        await files.write(make_context(), "/skills/new.md", "x", None)
    with pytest.raises(ToolError, match="read-only"):
        await files.delete(make_context(), "/skills/trip/SKILL.md", "v")


async def test_binary_and_huge_files_are_named_as_such(roots: tuple[Path, Path]):
    home, _ = roots
    (home / "a.bin").write_bytes(b"\xff\xfe")
    (home / "big.md").write_bytes(b"x" * (FILE_BYTES + 1))
    files = VirtualFiles([DirectoryFiles("/skills", roots)])
    with pytest.raises(ToolError, match="not a text file"):
        await files.read(make_context(), "/skills/a.bin")
    with pytest.raises(ToolError, match="larger than 4 MB"):
        await files.read(make_context(), "/skills/big.md")


STEP = st.sampled_from(
    [
        "..",
        ".",
        "out",
        "link.md",
        "secret.md",
        "trip",
        "SKILL.md",
        "home",
        "",
        "%2e%2e",
        "\uff0e\uff0e",
    ]
)


@given(steps=st.lists(STEP, min_size=1, max_size=7), absolute=st.booleans())
@settings(max_examples=examples(1500), deadline=None)
async def test_no_path_reads_outside_the_roots(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], absolute: bool
):
    base = tmp_path_factory.getbasetemp() / "escape"
    home = base / "home"
    if not home.exists():
        (home / "trip").mkdir(parents=True)
        (home / "trip" / "SKILL.md").write_text("fine")
        (base / "secret.md").write_text(SECRET)
        (home / "link.md").symlink_to(base / "secret.md")
        (home / "out").symlink_to(base)
        (home / "trip" / "out").symlink_to("../..")
    source = DirectoryFiles("/skills", [home])
    path = "/skills/" + "/".join(steps)
    try:
        file = await VirtualFiles([source]).read(make_context(), path if absolute else path[1:])
    except ToolError:
        file = None
    assert file is None or file.text == "fine"
    # The source holds even when its caller forgets to normalise.
    raw = await source.read(make_context(), path)
    assert raw is None or raw.text == "fine"
