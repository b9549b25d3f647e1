"""Documents and pictures of a message reach the model as what they are."""

import json
from pathlib import Path

from bot.domain.json_types import JsonObject
from bot.domain.messages import Attachment
from bot.domain.models import ModelRequest
from bot.storage.file_locks import LOCK
from bot.testing import documents as made
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say


def blocks(request: ModelRequest) -> list[JsonObject]:
    return [block for message in request.messages for block in message["content"]]


def pictures(request: ModelRequest) -> list[str]:
    return [block["source"]["media_type"] for block in blocks(request) if block["type"] == "image"]


def told(request: ModelRequest) -> str:
    return "\n".join(str(block.get("text", "")) for block in blocks(request))


def sent(chat: FakeChat, name: str, data: bytes, mime: str = "text/plain") -> Attachment:
    chat.files[name] = data
    return Attachment(name, name, mime, len(data))


async def test_a_document_is_quoted_with_its_pages(home: Path):
    chat, model = FakeChat(), ScriptedModel([say("Forty.")])
    files = (
        sent(chat, "bill.pdf", made.pdf(["Bill", "Total: 40"])),
        sent(chat, "rows.bin", made.excel({"May": [["item", "sum"], ["desk", 40]]})),
        sent(chat, "odd.txt", "Müller".encode("cp1252")),
        sent(chat, "gone.doc", b"\xd0\xcf\x11\xe0" + bytes(60)),
        sent(chat, "many.zip", made.packed({"a/b.txt": "x"})),
        sent(chat, "voice.ogg", b"OggS" + bytes(60), "audio/ogg"),
    )
    async with running_app(home, model, chat) as house:
        await house.ask("ann", "what is the total?", attachments=files)
    seen = told(model.requests[0])
    assert "bill.pdf:\n## page 1\n\nBill\n\n## page 2\n\nTotal: 40" in seen
    assert "rows.bin:\n## sheet May\n\n| item | sum |\n| --- | --- |\n| desk | 40 |" in seen
    assert "odd.txt:\nMüller" in seen
    assert "gone.doc can't be read: it has a password or an old format; save it as .docx" in seen
    assert "many.zip (an archive, listed and not opened):\n- a/b.txt (1 bytes)" in seen
    assert "voice.ogg is a recording, which nothing here can listen to." in seen


async def test_a_file_of_an_archive_is_opened_by_its_name(home: Path):
    chat = FakeChat()
    inside = {
        "in/total.csv": "item,sum\ndesk,40\n",
        "../../etc/passwd": "climbs",
        "red.png": made.picture(),
        "deep.zip": made.packed({"a": "b"}),
    }
    zipped = sent(chat, "month end.zip", made.packed(inside))
    top = "/attached/month end.zip"
    paths = ("in/total.csv", "etc/passwd", "red.png", "deep.zip", "none.txt")
    reads = [call("read_file", {"path": f"{top}/{one}"}) for one in paths]
    look = call("list_directory", {"path": "/attached"})
    model = ScriptedModel([*reads, look, say("Forty."), reads[0], say("No.")])
    async with running_app(home, model, chat) as house:
        await house.ask("ann", "what is the total?", attachments=(zipped,))
        await house.ask("bob", "open ann's zip")
    assert f"[to open one: read_file with path {top}/<its name in this list>]" in told(
        model.requests[0]
    )
    seen = [json.dumps(one.messages[-1]) for one in model.requests]
    assert "item,sum" in seen[1]
    assert "climbs" in seen[2]
    assert "image/png" in seen[3], seen[3]
    assert "an archive within an archive" in seen[4]
    assert "no file of this name" in seen[5]
    assert "month end.zip" in seen[6]
    assert f"there is no file {top}" in seen[8]


async def test_a_long_document_is_kept_and_searched(home: Path):
    chat, path = FakeChat(), "/documents/incoming/plan.docx.md"
    parts = [(f"Chapter {n}", f"Paint the wall of room {n}. " * 20) for n in range(60)]
    parts[41] = ("Chapter 41", "The ladder is in the cellar.")
    model = ScriptedModel([call("search", {"query": "ladder", "in": path}), say("In the cellar.")])
    async with running_app(home, model, chat) as house:
        files = (sent(chat, "plan.docx", made.word(parts)),)
        await house.ask("ann", "where is the ladder?", attachments=files)
    seen = told(model.requests[0])
    assert "# Chapter 41" in seen, "it stands in the outline"
    assert "in the cellar" not in seen
    assert f"the whole is {path}" in seen
    assert "The ladder is in the cellar." in json.dumps(model.requests[1].messages)


async def test_pictures_are_shown_whatever_they_are_called(home: Path):
    chat, model = FakeChat(), ScriptedModel([say("Red.")])
    files = (
        sent(chat, "photo.txt", made.picture((4_000, 3_000), "JPEG", orientation=6)),
        sent(chat, "dance.gif", made.picture(form="GIF", frames=3), "image/gif"),
        sent(chat, "scan.pdf", made.scanned_pdf(2), "application/pdf"),
        sent(chat, "broken.png", made.picture()[:50], "image/png"),
    )
    async with running_app(home, model, chat) as house:
        await house.ask("ann", "what is it?", attachments=files)
    request = model.requests[0]
    assert pictures(request) == ["image/jpeg", "image/png", "image/jpeg", "image/jpeg"]
    seen = told(request)
    assert "The next image is photo.txt (3000 x 4000 pixels)." in seen
    assert "The next image is dance.gif (40 x 20 pixels, animated: its first frame)." in seen
    assert "The next image is scan.pdf (page 2)." in seen
    assert "broken.png can't be read: it is damaged" in seen


async def test_a_picture_is_read_once_and_kept_for_its_turn_alone(home: Path):
    chat = FakeChat()
    ask = call("ask_user_for_clarification", {"question": "Which half?"})
    first, second = ScriptedModel([ask]), ScriptedModel([say("Red.")])
    async with running_app(home, first, chat) as house:
        photo = sent(chat, "photo.png", made.picture())
        await house.ask("ann", "which colour?", attachments=(photo,))
        for _ in range(3):
            assert await house.app.house.chats.attachments.sweep() == 0
    async with running_app(home, second, chat) as house:
        assert await house.ask("ann", "left") == "Red."
        await house.until_idle()
        for _ in range(2):
            await house.app.house.chats.attachments.sweep()
    assert blocks(second.requests[0])[: len(blocks(first.requests[0]))] == blocks(first.requests[0])
    left = [path.name for path in (home / "data" / "blobs").iterdir() if path.name != LOCK]
    assert left == []
