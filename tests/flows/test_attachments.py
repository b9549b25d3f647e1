"""Attached files: on disk while a turn needs them, bounded, never all in memory."""

import asyncio
import json
import tracemalloc
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from bot.assembly.ground import HouseLimits
from bot.domain.chat import PIECE_BYTES
from bot.domain.database import Unit, Write
from bot.domain.messages import Addressed, Attachment, OutgoingMessage, Place
from bot.domain.places import Visibility
from bot.errors import DeliveryError
from bot.sessions.opening.attachments import AT_ONCE, FileRoom
from bot.sessions.opening.blocks import END_CHARS, HEAD_CHARS
from bot.storage.file_locks import LOCK
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.slack_house import HurriedClock

MB = 1024 * 1024
LITTLE_ROOM = HouseLimits(files=FileRoom(25 * 2**20, 60 * 2**20))


def file(ref: str, size: int) -> Attachment:
    return Attachment(ref, f"{ref}.txt", "text/plain", size)


def chat_with(**files: bytes) -> FakeChat:
    """A chat to which these files can be attached, by reference."""
    chat = FakeChat()
    chat.files |= files
    return chat


async def seen_of(home: Path, chat: FakeChat, *files: Attachment, **house: Any) -> str:
    """What the model gets where Ann attaches these files to her message."""
    model = ScriptedModel([say("Read.")])
    async with running_app(home, model, chat, **house) as at:
        await at.ask("ann", "read", attachments=files)
    return json.dumps(model.requests[0].messages, ensure_ascii=False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Here it is", "[ben (ben)] Here it is\n    (attached:"), ("", "[ben (ben)] (attached:")],
)
async def test_a_file_that_nobody_was_asked_to_read_is_named(text: str, shown: str, home: Path):
    room: dict[str, Any] = {"where": "room", "place": Place.CHANNEL}
    model = ScriptedModel([say("I can't open it from here: reply to it, and I read it.")])
    many = tuple(file(f"f{number}", 1) for number in range(7))
    async with running_app(home, model, chat_with()) as at:
        await at.chat.say("ben", text, attachments=many, addressed=Addressed.NONE, **room)
        await at.ask("ann", "what is cheapest?", **room)
    opened = str(model.requests[0].messages[0]["content"][0]["text"])
    assert f"{shown} f0.txt, f1.txt, f2.txt, f3.txt, f4.txt and 2 more)" in opened


def blobs(home: Path) -> list[Path]:
    return sorted(path for path in (home / "data" / "blobs").iterdir() if path.name != LOCK)


async def test_files_end_with_their_turn(home: Path):
    model = ScriptedModel(
        [call("ask_user_for_clarification", {"question": "Which year?"}), say("Forty.")]
    )
    async with running_app(home, model, chat_with(plan=b"budget: 40")) as house:
        await house.ask("ann", "what is the budget?", attachments=(file("plan", 10),))
        for _ in range(3):
            # the turn waits for its answer
            assert await house.app.house.chats.attachments.sweep() == 0
        assert len(blobs(home)) == 1
        assert await house.ask("ann", "this one") == "Forty."
        attachments = house.app.house.chats.attachments
        assert await attachments.sweep() + await attachments.sweep() == 1
        assert blobs(home) == []
        assert await house.rows("SELECT 1 FROM attachments") == []


async def test_the_file_of_a_card_stays_until_the_card_is_over(home: Path):
    (home / "policy.yaml").write_text(
        "rules:\n  - {name: look, tools: write_file, decision: ask}\n"
    )
    text = "x" * 4000
    unlock = call("get_capabilities", {"names": ["write_file"]})
    write = call("write_file", {"path": "/documents/plan.md", "content": text})
    model = ScriptedModel([unlock, write, say("It waits."), say("Done.")])
    async with running_app(home, model, FakeChat()) as house:
        await house.ask("ann", "keep it")
        for _ in range(3):
            assert await house.app.house.chats.attachments.sweep() == 0
        (kept,) = blobs(home)
        assert text in kept.read_text()
        (ref,) = {choice.ref for post in house.chat.posts for choice in post.message.choices}
        await house.command("ann", "approve", ref)
        await house.app.house.chats.attachments.sweep()
        await house.app.house.chats.attachments.sweep()
        assert blobs(home) == []


@pytest.mark.parametrize("declared", [10 * MB, 1])  # also when the platform names another size
async def test_a_sender_of_too_much_is_told(home: Path, declared: int):
    chat = FakeChat()
    refs = ["a", "b", "c"]
    chat.files |= {ref: ref.encode() * (10 * MB) for ref in refs}
    files = (file(ref, declared) for ref in refs)
    seen = await seen_of(home, chat, *files, limits=LITTLE_ROOM)
    assert "c.txt could not be read: their files that are still worked on may fill 25 MB" in seen
    assert len(blobs(home)) == 2


async def test_only_the_part_of_a_large_text_in_the_request_is_in_memory(home: Path):
    seen = await seen_of(home, chat_with(log="ä".encode() * (4 * MB)), file("log", 8 * MB))
    assert f"({4 * MB:,} characters, 1 lines)" in seen
    assert seen.count("ä") == HEAD_CHARS + END_CHARS


async def test_a_long_text_keeps_its_end_and_says_what_is_missing(home: Path):
    minutes = ("a" * 70_000 + "Tom paints the door.").encode()
    seen = await seen_of(home, chat_with(minutes=minutes), file("minutes", 70_020))
    assert "Tom paints the door." in seen
    assert "[cut: 61,020 characters in lines 1-1 are not shown here]" in seen


class Crowded(FakeChat):
    """Makes each file's bytes on demand like a download, and counts simultaneous ones."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.fetching, self.most = size, 0, 0

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        if not attachment.ref:
            raise DeliveryError("gone")
        self.fetching += 1
        self.most = max(self.most, self.fetching)
        try:
            yield attachment.ref.encode()
            for _ in range(self.size // PIECE_BYTES):
                yield bytes(PIECE_BYTES)
        finally:
            self.fetching -= 1


class Lying(FakeChat):
    """Sends much more than it says, or breaks off a few times first."""

    def __init__(self, megabytes: int, breaks: int = 0) -> None:
        super().__init__()
        self.megabytes, self.breaks, self.sent = megabytes, breaks, 0

    async def fetch(self, attachment: Attachment) -> AsyncGenerator[bytes]:
        for _ in range(self.megabytes * 4):
            self.sent += 1
            yield bytes(PIECE_BYTES)
            if self.breaks:
                self.breaks -= 1
                raise DeliveryError("the connection broke", retryable=True)


async def test_a_file_without_end_is_cut_off_at_the_quota(home: Path):
    chat = Lying(megabytes=1000)
    seen = await seen_of(home, chat, file("endless", 1), limits=LITTLE_ROOM)
    assert "endless.txt could not be read: their files that are still worked on" in seen
    assert chat.sent == 25 * 4 + 1
    assert blobs(home) == []


async def test_a_file_whose_connection_broke_is_asked_for_again(home: Path):
    chat = Lying(megabytes=1, breaks=2)
    seen = await seen_of(home, chat, file("plan", 1), clock=HurriedClock())
    assert "could not be read" not in seen
    assert [path.stat().st_size for path in blobs(home)] == [MB]


async def test_a_crowd_of_files_does_not_add_up_in_memory(home: Path):
    size, people = 8 * MB, 12
    chat = Crowded(size)
    model = ScriptedModel([say("Read.")] * people)
    async with running_app(home, model, chat):
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            await asyncio.gather(
                *(
                    chat.say(f"p{one}", "read", attachments=(file(f"f{one}", size),))
                    for one in range(people)
                )
            )
            await chat.until(people)
            peak = tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()
    assert chat.most <= AT_ONCE
    assert peak < size, "not even the files that are fetched at once add up"


async def kept(house: Harness) -> list[tuple[str, str, str, int]]:
    rows = await house.rows(
        "SELECT owner, path, reach, text, origin FROM virtual_files ORDER BY path"
    )
    assert all(json.loads(row["origin"])["trust"] == "external" for row in rows)
    return [(row["owner"], row["path"], row["reach"], len(row["text"])) for row in rows]


SUMMARY = "Ann sent a log of a thousand lines and it was read. " * 10
LOG = "".join(f"{number:07} {'x' * 91}\n" for number in range(1_000)).encode()


async def test_a_text_that_is_cut_is_kept_whole_and_can_be_read_on(home: Path):
    chat = chat_with(log=LOG, short=b"forty")
    path = "/documents/incoming/log.txt"
    model = ScriptedModel(
        [call("read_file", {"path": path, "offset": 61, "limit": 1}), say("Long.")]
    )
    async with running_app(home, model, chat) as house:
        await house.ask("ann", "read", attachments=(file("log", len(LOG)), file("short", 5)))
        assert await kept(house) == [("ann", path, "dm", len(LOG))]
        opening, result = (json.dumps(request.messages) for request in model.requests)
        assert f"[cut: the whole is {path}." in opening
        assert "read_file with offset 61 goes on in it]" in opening
        assert "0000059 " in opening
        assert "0000060 " not in opening
        assert "0000999 " in opening
        assert "0000060 " in result.removeprefix(opening[:-1])


async def test_a_line_of_a_long_file_is_found_in_one_call(home: Path):
    lines = LOG.decode().splitlines(keepends=True)
    lines[700] = "0000700 payment 4711 was refused: the card had expired in May\n"
    lines[30] = "0000030 a payment\n"
    path = "/documents/incoming/log.txt"
    look = {"query": "payment refused", "in": path}
    model = ScriptedModel([call("search", look), say("It had expired.")])
    async with running_app(home, model, chat_with(log="".join(lines).encode())) as house:
        await house.ask("ann", "why did it fail?", attachments=(file("log", len(LOG)),))
    opening, result = (json.dumps(request.messages) for request in model.requests)
    assert '"name": "search"' in opening, "it is unlocked with the file"
    assert len(opening) < 16_000
    found = result.removeprefix(opening[:-1])
    assert "the card had expired in May" in found
    assert '\\"title\\": \\"line 701\\"' in found
    assert found.index("line 31") < found.index("line 701"), "in the order of the file"


async def test_a_summary_reads_what_was_shown_of_a_file(home: Path):
    model = ScriptedModel([say("Long."), say(f"<summary>{SUMMARY}</summary>")])
    async with running_app(home, model, chat_with(log=LOG)) as house:
        await house.ask("ann", "read", attachments=(file("log", len(LOG)),))
        assert "Done" in await house.command("ann", "compact")
    seen = json.dumps(model.requests[1].messages)
    assert "0000059 " in seen
    assert "0000060 " not in seen.replace("61: 0000060 ", "")
    assert len(seen) < 16_000


async def test_a_document_that_may_not_be_shown_here_is_not_searched(home: Path):
    look = call("search", {"query": "code", "in": "/documents/incoming/secret.txt"})
    model = ScriptedModel([say("Kept."), look, say("No."), look, say("No.")])
    office = {"where": "office", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    async with running_app(home, model, chat_with(secret=LOG + b"the code is heron")) as house:
        await house.ask("ann", "read", attachments=(file("secret", len(LOG)),))
        await house.ask("ann", "what is the code?", **office)
        await house.ask("bob", "what is the code?")
    for request in (model.requests[2], model.requests[4]):
        assert "there is no document /documents/incoming/secret.txt here" in str(request.messages)
        assert "heron" not in str(request.messages)


async def test_a_line_that_is_cut_in_the_middle_is_read_on_from_there(home: Path):
    path = "/documents/incoming/log.txt"
    model = ScriptedModel(
        [call("read_file", {"path": path, "offset": 2, "skip": 5_994}), say("Long.")]
    )
    log = b"first\n" + b"y" * 5_994 + b"THE REST " + b"z" * 16_000
    async with running_app(home, model, chat_with(log=log)) as house:
        await house.ask("ann", "read", attachments=(file("log", 22_009),))
    opening, result = (json.dumps(request.messages) for request in model.requests)
    assert "read_file with offset 2, skip 5994 goes on in it]" in opening
    assert "THE REST" not in opening
    assert "THE REST" in result


async def test_a_kept_text_is_kept_once_whatever_ends_the_process(home: Path):
    chat = chat_with(log=LOG)
    model = ScriptedModel([call("ask_user_for_clarification", {"question": "Which year?"})])
    async with running_app(home, model, chat) as house:
        await house.ask("ann", "read", attachments=(file("log", len(LOG)),))
    async with running_app(home, ScriptedModel([say("Read."), say("Again.")]), chat) as house:
        assert await house.ask("ann", "this one") == "Read."
        assert [path for _, path, *_ in await kept(house)] == ["/documents/incoming/log.txt"]
        await house.ask("ann", "and this", attachments=(file("log", len(LOG)),))
        names = [path.rpartition("/")[2] for _, path, *_ in await kept(house)]
        assert names == ["log-2.txt", "log.txt"]


async def test_partly_binary_and_too_large_files_are_not_kept(home: Path):
    chat = chat_with(odd=LOG * 4 + b"\xff\xfe", huge=LOG * 90)
    model = ScriptedModel([say("Long.")])
    async with running_app(home, model, chat) as house:
        await house.ask("ann", "read", attachments=(file("odd", 400_002), file("huge", 9_000_000)))
        assert await kept(house) == []
    seen = str(model.requests[0].messages)
    assert "[cut: the file has 400002 bytes]" in seen
    assert "[its rest was not kept: only its beginning is text]" in seen
    assert "[its rest was not kept: the most is 8 MB]" in seen


async def test_a_text_that_there_is_no_room_for_is_said_not_to_be_kept(home: Path):
    full = (
        "INSERT INTO virtual_files (owner_kind, owner, path, text, version, updated_at, "
        "updated_by, origin, reach)"
        " VALUES ('person', 'ann', '/documents/incoming/old.txt', hex(zeroblob(16000000)), 'v', "
        "'2026-11-01', 'ann',"
        """ '{"trust": "external", "source": "file:old.txt"}', 'dm')"""
    )
    model = ScriptedModel([say("Long.")])
    async with running_app(home, model, chat_with(log=LOG)) as house:
        await house.app.database.write(Unit.of(Write(full)))
        await house.ask("ann", "read", attachments=(file("log", len(LOG)), file("gone", 10)))
        assert [path for _, path, *_ in await kept(house)] == ["/documents/incoming/old.txt"]
    seen = str(model.requests[0].messages)
    assert (
        "[its rest was not kept: there is no room for it below /documents/incoming; delete "
        "files there"
    ) in seen
    assert "gone.txt could not be read: " in seen
    assert "[it was not kept]" in seen


async def test_files_lists_and_sends_what_may_be_seen_where_it_is_asked(home: Path):
    chat = chat_with(secret=LOG, minutes=LOG)
    model = ScriptedModel([say("Kept.")] * 2)
    office = {"where": "office", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    async with running_app(home, model, chat) as house:
        assert await house.command("ann", "files") == "You have no files yet."
        await house.ask("ann", "read", attachments=(file("secret", len(LOG)),))
        await house.ask("ann", "read", attachments=(file("minutes", len(LOG)),), **office)

        async def files(who: str, args: str = "", **where: object) -> OutgoingMessage:
            await house.command(who, "files", args, **where)
            return chat.posts[-1].message

        listed = (await files("ann")).text
        assert "- `/documents/incoming/secret.txt` (100,000 characters)" in listed
        assert "- `/documents/incoming/minutes.txt` (100,000 characters)" in listed
        in_public = (await files("ann", **office)).text
        assert "minutes.txt" in in_public
        assert "secret" not in in_public
        assert "1 more is private; ask me in a DM." in in_public
        assert (await files("bob")).text == "You have no files yet."
        refused = await files("ann", "incoming/secret.txt", **office)
        assert (refused.text, refused.files) == ("That file is private; ask me in a DM.", ())
        assert (await files("bob", "incoming/secret.txt")).files == ()
        sent = await files("ann", "/documents/incoming/secret.txt")
        assert [(one.name, one.mime) for one in sent.files] == [("secret.txt", "text/plain")]
        assert (home / "data" / "blobs" / sent.files[0].blob).read_bytes() == LOG
        assert "Your files are below /documents" in (await files("ann", "/skills/x")).text
        assert (
            "no file /preferences/global.md" in (await files("ann", "/preferences/global.md")).text
        )
        assert "I can't look there" in (await files("ann", "../x")).text
