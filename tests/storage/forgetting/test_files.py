"""Words that are sought go from memory, logs, projects and attachments, and nothing else."""

import io
import json
import tarfile
from pathlib import Path
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from bot.storage.forgetting.files import ForgettingFiles
from bot.storage.forgetting.sought import FORGOTTEN, Sought
from bot.testing.byte_search import holding

WORDS = st.sampled_from(["Zebra", "schnäuzel", "HIV", "diagnosis", "北京饭店", "Ünlü", "naïve"])
AROUND = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(WORDS, WORDS, AROUND, AROUND, st.integers(0, 3))
def test_every_spelling_is_found_and_cut(
    one: str, other: str, before: str, after: str, levels: int
) -> None:
    text = f"{before} {one.upper()} and {other} {after}"
    for _ in range(levels):
        text = json.dumps({"text": text})
    sought = Sought.of(f"{one} {other}")
    assert sought.names(text)
    assert sought.names(quote(text))
    cut = sought.cut(text)
    assert not sought.touches(cut.replace(FORGOTTEN, ""))


def test_all_words_are_wanted_and_short_ones_whole() -> None:
    sought = Sought.of("my HIV diagnosis")
    assert sought.names("The hiv diagnosis came on Monday.")
    assert not sought.names("The diagnosis came.")
    assert not sought.names("The archive has a diagnosis.")
    assert Sought.of("zebra").names("https://example.com/myzebras.png")


def test_other_lines_stay() -> None:
    text = "milk\nthe zebra runs\r\nbread\n"
    assert Sought.of("zebra").cut(text) == f"milk\n{FORGOTTEN}\r\nbread\n"
    assert Sought.of("zebra").without_lines(text) == "milk\nbread\n"
    assert Sought.of("lion").cut(text) == text


@given(st.binary(max_size=60), WORDS)
def test_a_line_of_a_log_keeps_its_length(noise: bytes, word: str) -> None:
    data = noise.replace(b"\n", b" ") + f" {word} said".encode()
    line = data.decode("utf-8", "surrogateescape")
    sought = Sought.of(word)
    crossed = sought.overwritten(line)
    assert not sought.names(crossed)
    assert len(crossed.encode("utf-8", "surrogateescape")) == len(data)


# Words go from files of memory, logs, projects and attachments; other lines and people stay.


WORD = "quxzebra7"


def _write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _snapshot(path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("a.txt")
        member.size = len(WORD)
        archive.addfile(member, io.BytesIO(WORD.encode()))
    _write(path, packed.getvalue())


def test_each_file_is_rid_of_the_words(tmp_path: Path) -> None:
    tier = _write(tmp_path / "memory/ann/assistant_memory.md", f"- tea\n- {WORD}\n".encode())
    log = _write(tmp_path / "data/bellhop.log", f"one\nÄ {WORD} said\ntwo\n".encode())
    project = tmp_path / "data/workspaces/ann"
    text = _write(project / "p/a.txt", f"one\n{WORD}\n".encode())
    binary = _write(project / "p/b.bin", b"\0" + WORD.encode())
    _snapshot(project / ".snapshots/p/first.tar.gz")
    needed, blob, orphan, shared = (
        _write(tmp_path / "data/blobs" / (name * 64), WORD.encode()) for name in "abcd"
    )
    other = _write(tmp_path / "data/workspaces/ben/p/a.txt", WORD.encode())
    profile = _write(tmp_path / "data/browser/ann/state.json", WORD.encode()).parent
    files = ForgettingFiles(tmp_path, (tier.parent,), project, (profile,), Sought.of(WORD.upper()))
    size = log.stat().st_size
    came, kept = {blob.name, shared.name}, {needed.name, shared.name}
    counted = files.sweep(came, kept, remove=False)
    assert holding([project, tier.parent], [WORD])
    assert WORD in log.read_text()
    swept = files.sweep(came, kept, remove=True)
    assert counted.counts == swept.counts
    assert swept.counts == {
        "memory files": 1,
        "files of projects": 2,
        "snapshots of projects": 1,
        "attached files": 2,
    }
    assert swept.remains == ["the folder data/browser/ann"]
    assert tier.read_text() == "- tea\n"
    assert log.read_text() == "one\nÄ xxxxxxxxx said\ntwo\n"
    assert log.stat().st_size == size
    assert text.read_text() == "one\n[forgotten]\n"
    assert not binary.exists()
    assert not blob.exists()
    assert not orphan.exists(), "it goes, but is not counted: nobody knows whose it is"
    assert needed.exists()
    assert shared.exists(), "somebody else needs it, and no count tells so"
    assert other.read_text() == WORD
    assert holding([project, tier.parent, tmp_path / "data/bellhop.log"], [WORD]) == {}
