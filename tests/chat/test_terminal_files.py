"""The terminal attaches regular files only: it hangs on no pipe and reads no device."""

import os
from pathlib import Path

import pytest

from bot.chat.terminal.files import CannotAttach, find_attachments, read_attachment
from bot.domain.messages import Attachment
from bot.errors import DeliveryError


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
