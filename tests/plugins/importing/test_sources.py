"""Folders, archives, attachments and git addresses as sources."""

import os
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.plugins.importing import sources
from bot.plugins.importing.bundle import BundleBuilder
from bot.plugins.importing.sources import (
    GitAddress,
    is_git_address,
    parse_git_address,
    read_attachment,
    read_git,
    read_source,
)
from bot.testing.import_home import ADMIN, ImportHome
from bot.workshop.review.findings import ImportRefused

pytestmark = pytest.mark.both_loops

PLAIN = "---\nname: tidy\ndescription: Tidies up.\n---\nPut things away.\n"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def repository(tmp_path: Path) -> tuple[Path, Callable[[str, str], str]]:
    """A repository and a function that commits a file to it and gives the commit."""
    work = tmp_path / "work"
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*arguments: str) -> str:
        who = (
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.org",
            "-c",
            "init.defaultBranch=main",
        )
        run = subprocess.run(
            ["git", *who, *arguments],
            check=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
        )
        return run.stdout.decode().strip()

    git("init", "-q", str(work))

    def commit(name: str, text: str) -> str:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
        git("-C", str(work), "add", "-A")
        git("-C", str(work), "commit", "-q", "-m", name)
        return git("-C", str(work), "rev-parse", "HEAD")

    return work, commit


async def test_a_pinned_commit_is_what_is_read_and_the_newest_is_recorded(
    home: ImportHome, repository: tuple[Path, Callable[[str, str], str]]
):
    work, commit = repository
    first = commit("skills/tidy/SKILL.md", PLAIN)
    second = commit("skills/tidy/SKILL.md", PLAIN.replace("away", "up"))
    report = await home.take(f"file://{work}#{first}")
    assert (report.kind, report.commit, report.source) == ("git", first, f"file://{work}")
    assert (await home.desk.find("tidy")).commit == first
    await home.desk.approve(ADMIN, "tidy")
    await home.live()
    assert home.library.body("tidy") == "Put things away."
    newest = await home.take(f"file://{work}")
    assert (newest.commit, newest.items[0].status, newest.items[0].updates_live) == (
        second,
        "staged",
        True,
    )
    branch = await home.take(f"file://{work}#main:skills/tidy")
    assert branch.commit == second


async def test_an_address_that_gives_nothing_is_a_sentence(
    repository: tuple[Path, Callable[[str, str], str]],
):
    work, commit = repository
    commit("README", "x")
    for text in (f"file://{work}#{COMMIT}", f"file://{work}-gone", f"file://{work}#no-such-branch"):
        with pytest.raises(ImportRefused, match="git fetch failed"):
            await read_source(text)
    with pytest.raises(ImportRefused, match="git ls-tree failed"):
        await read_source(f"file://{work}#main:none")


async def test_the_environment_of_bellhop_never_reaches_git(
    repository: tuple[Path, Callable[[str, str], str]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
):
    work, commit = repository
    commit("SKILL.md", PLAIN)
    mark = tmp_path / "bellhop-was-here"
    for name in ("GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS"):
        monkeypatch.setenv(name, f"touch {mark}")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "uploadpack.packObjectsHook")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", f"touch {mark};")
    bundle = await read_source(f"file://{work}")
    assert set(bundle.files) == {"SKILL.md"}
    assert not mark.exists()


async def test_a_repository_that_takes_too_long_or_too_much_is_refused(
    repository: tuple[Path, Callable[[str, str], str]], monkeypatch: pytest.MonkeyPatch
):
    work, commit = repository
    commit("big.bin", os.urandom(200_000).hex())
    with pytest.raises(ImportRefused, match="took longer than"):
        await read_git(GitAddress(f"file://{work}"), time_limit_s=0.0)
    monkeypatch.setattr(sources, "_LIMITED", 'ulimit -f 16; exec "$@"')
    with pytest.raises(ImportRefused, match="git fetch failed"):
        await read_git(GitAddress(f"file://{work}"))


async def test_a_large_repository_is_refused_by_its_listing(
    repository: tuple[Path, Callable[[str, str], str]],
):
    work, commit = repository
    for number in range(300):
        (work / f"{number}.md").write_text("x")
    commit("SKILL.md", PLAIN)
    with pytest.raises(ImportRefused, match=r"has 301 files.*URL#<commit>:path"):
        await read_git(GitAddress(f"file://{work}"))


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://example.org/a/b.git", GitAddress("https://example.org/a/b.git")),
        (f"https://example.org/a/b#{COMMIT}", GitAddress("https://example.org/a/b", COMMIT)),
        (
            "https://example.org/a/b#v1.0:skills/x",
            GitAddress("https://example.org/a/b", "v1.0", "skills/x"),
        ),
        (
            "https://example.org/a/b/tree/main/skills/x",
            GitAddress("https://example.org/a/b", "main", "skills/x"),
        ),
        (
            "https://example.org/a/b/blob/main/x/SKILL.md",
            GitAddress("https://example.org/a/b", "main", "x"),
        ),
        ("ssh://git@example.org:22/a.git", GitAddress("ssh://git@example.org:22/a.git")),
        ("git@example.org:a/b.git#main", GitAddress("git@example.org:a/b.git", "main")),
        ("file:///srv/a.git", GitAddress("file:///srv/a.git")),
    ],
)
def test_addresses_that_are_understood(text: str, address: GitAddress):
    assert is_git_address(text)
    assert parse_git_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "http://example.org/a.git",
        "git://example.org/a.git",
        "ext::sh -c id",
        "fd::17",
        "https://user@example.org/a",
        "https://u:p@example.org/a",
        "https://-x/a",
        "ssh://-oProxyCommand=id/a",
        "ssh://git@-oProxyCommand=id/a",
        "file://host/a",
        "https:///a",
        "https://example.org/a b",
        "https://example.org/a\n",
        "https://example.org/a#--upload-pack=id",
        "https://example.org/a#a..b",
        "https://example.org/a#main:../x",
        "https://example.org/a#main:/x",
        "https://example.org/a#+refs/heads/x",
    ],
)
def test_addresses_that_are_refused(text: str):
    with pytest.raises(ImportRefused):
        parse_git_address(text)


def test_a_plain_archive_is_read_with_its_folders(tmp_path: Path):
    path = tmp_path / "skill.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("tidy/", "")
        packed.writestr("tidy/SKILL.md", PLAIN)
        packed.writestr("tidy/references/more.md", "more")
        packed.writestr("__MACOSX/tidy/._SKILL.md", "x")
        packed.writestr("tidy/.env", "KEY=1")
    bundle = read_attachment("skill.zip", path.read_bytes())
    assert set(bundle.files) == {"tidy/SKILL.md", "tidy/references/more.md"}
    assert [finding.rule for finding in bundle.findings] == ["hidden-file"]


@pytest.mark.parametrize("name", ["../../x.md", "..\\x.md", "/etc/x.md", ".x.md", "x.md"])
def test_the_name_of_an_attachment_is_no_path(name: str):
    assert set(read_attachment(name, b"# X\n\nText.").files) == {"x.md"}


def test_a_broken_archive_is_a_sentence():
    with pytest.raises(ImportRefused, match="not a sound zip"):
        read_attachment("x.zip", b"PK\x03\x04" + b"\0" * 40)


OUTWARDS = [
    "/x",
    "../x",
    "a/../x",
    "a//x",
    "C:x",
    "a\\x",
    "a\0b",
    "a/./x",
    "x/" * 20 + "y",
    "a\u202eb",
]


@pytest.mark.parametrize("path", OUTWARDS)
def test_no_name_leads_out_of_a_bundle(path: str):
    with pytest.raises(ImportRefused):
        BundleBuilder("here").wanted(path)


async def test_a_folder_that_is_no_skill_at_all_is_left_alone_in_time(tmp_path: Path):
    for number in range(300):
        (tmp_path / f"{number}.md").write_text("x")
    with pytest.raises(ImportRefused, match="more than 256 files"):
        await read_source(str(tmp_path))
