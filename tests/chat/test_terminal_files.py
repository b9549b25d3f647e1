"""Files that a terminal attaches and gets: regular ones alone, saved beside what is there."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.terminal.files import (
    CannotAttach,
    CannotSave,
    find_attachments,
    fit_name,
    read_attachment,
    save,
)
from bot.domain.messages import Attachment, OutgoingFile
from bot.errors import DeliveryError


def one(folder: Path, name: str, data: bytes) -> OutgoingFile:
    blobs = folder / "blobs"
    blobs.mkdir(exist_ok=True)
    blob = f"b{len(list(blobs.iterdir()))}"
    (blobs / blob).write_bytes(data)
    return OutgoingFile(name, "text/plain", blob)


def saved(folder: Path, name: str, data: bytes) -> str:
    return save(one(folder, name, data), folder / "blobs", folder / "out").name


def test_nothing_that_is_there_is_replaced(tmp_path: Path):
    assert saved(tmp_path, "plan.md", b"one") == "plan.md"
    assert saved(tmp_path, "plan.md", b"two") == "plan-2.md"
    assert saved(tmp_path, "plan.md", b"two") == "plan-2.md"  # the same bytes once
    assert (tmp_path / "out/plan.md").read_bytes() == b"one"
    assert (tmp_path / "out/plan.md").stat().st_mode & 0o777 == 0o600


def test_screens_that_get_the_same_file_at_once_save_it_once(tmp_path: Path):
    file = one(tmp_path, "plan.md", b"words" * 100_000)
    with ThreadPoolExecutor(8) as pool:
        saving = [pool.submit(save, file, tmp_path / "blobs", tmp_path / "out") for _ in range(40)]
    found = [one.result() for one in saving]
    assert set(found) == {tmp_path / "out" / "plan.md"} == set((tmp_path / "out").iterdir())


def test_a_link_is_never_followed(tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/plan.md").symlink_to(tmp_path / "elsewhere")
    assert saved(tmp_path, "plan.md", b"one") == "plan-2.md"
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cant_be_written_is_named_with_the_reason(tmp_path: Path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(CannotSave, match=r"plan\.md can't be saved in .*/out: "):
        saved(tmp_path, "plan.md", b"one")


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("../../.bashrc", "_.._.bashrc"),
        (".env", "env"),
        ("a\x1b[31mb.md", "a_[31mb.md"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("...", "file"),
        ("C:\\x", "C__x"),
    ],
)
def test_hostile_names_are_made_harmless(given_name: str, shown: str):
    assert fit_name(given_name) == shown


@given(st.text(max_size=300))
def test_every_name_fits_one_folder(name: str):
    fit = fit_name(name)
    assert fit
    assert fit == Path(fit).name
    assert not fit.startswith(".")
    assert fit.isprintable()
    assert len(fit.encode()) <= 200


# The terminal attaches regular files only: it hangs on no pipe and reads no device.


@pytest.mark.parametrize("kind", ["pipe", "device"])
async def test_only_regular_files_are_attached(tmp_path: Path, kind: str) -> None:
    odd = tmp_path / "odd.txt"
    if kind == "pipe":
        os.mkfifo(odd)
    else:
        odd.symlink_to("/dev/zero")
    with pytest.raises(CannotAttach, match=r"@odd\.txt is not a regular file"):
        find_attachments("read @odd.txt", tmp_path)
    with pytest.raises(DeliveryError, match="it is not a regular file"):
        _ = [
            piece
            async for piece in read_attachment(Attachment(str(odd), "odd.txt", "text/plain", 0))
        ]  # by now
