"""Files that come by other ways than a message of their own, and files that mean harm."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.loopback.discord.world import ChannelKind, StoredFile
from bot.loopback.slack import BOT_USER
from bot.loopback.slack.world import ChannelKind as SlackKind
from bot.testing import documents as made
from bot.testing.both_platforms import (
    PlatformTown,
    on_discord,
    on_slack,
    on_telegram,
    write_contacts,
)
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.tools import NO_SANDBOX

pytestmark = pytest.mark.slow

BILL = made.pdf(["Total: 40"])
READ = "## page 1\\n\\nTotal: 40"


@dataclass
class Asking:
    """Bellhop in a town, and what its model was asked."""

    town: PlatformTown
    model: ScriptedModel

    async def told(self, act: Callable[[], object]) -> str:
        """The newest messages of the request that an act brings about."""
        before = len(self.model.requests)
        act()
        await self.town.until(lambda: len(self.model.requests) > before)
        return json.dumps(self.model.requests[-1].messages[-2:], ensure_ascii=False)


@asynccontextmanager
async def asking(home: Path, town: PlatformTown) -> AsyncGenerator[Asking]:
    model = ScriptedModel([say(f"Answer {number}.") for number in range(20)])
    write_contacts(home, town)
    (home / "bellhop.yaml").write_text(NO_SANDBOX)
    async with running(AppOptions(home, [town.connect()], model)):
        await town.ready()
        yield Asking(town, model)


async def test_every_way_of_discord(tmp_path: Path):
    async with on_discord() as town, asking(tmp_path, town) as bellhop:
        discord, ann, ben = town.discord, town.people["Ann"], town.people["Ben"]
        posted = ben.upload(town.general, "bill.pdf", BILL, "of May")
        assert READ in await bellhop.told(lambda: ann.forward(posted, ann.dm))
        replied = await bellhop.told(
            lambda: ann.say(town.general, "what's in this?", mention=True, reply_to=posted)
        )
        assert READ in replied
        assert "(attached: bill.pdf)" in replied
        thread = ben.start_thread(posted, "the bill")
        assert READ in await bellhop.told(lambda: ann.say(thread, "how much?", mention=True))
        discord.expire_links()
        other = ben.upload(town.general, "bill.pdf", BILL)
        reply = "and in this?"
        assert READ in await bellhop.told(
            lambda: ann.say(town.general, reply, mention=True, reply_to=other)
        )
        forum = discord.channel(town.guild, "help", ChannelKind.FORUM)
        post = ben.open_thread(forum, "a question")
        assert READ in await bellhop.told(
            lambda: ben.upload(post, "bill.pdf", BILL, "how much?", mention=True)
        )
        gone = ben.upload(town.general, "gone.pdf", BILL)
        discord.expire_links()
        gone.files.clear()
        asked = await bellhop.told(
            lambda: ann.say(town.general, "what is it?", mention=True, reply_to=gone)
        )
        assert READ not in asked


async def test_odd_files_of_discord_get_a_sentence(tmp_path: Path):
    async with on_discord() as town, asking(tmp_path, town) as bellhop:
        ann = town.people["Ann"]

        def posts(*files: tuple[str, bytes]) -> Callable[[], object]:
            new = town.discord.world.next_id
            stored = [StoredFile(new(), name, "text/plain", data) for name, data in files]
            return lambda: ann.say(ann.dm, "look", files=stored)

        large = await bellhop.told(posts(("film.mov", bytes(26 * 1024 * 1024))))
        assert "film.mov has 26 MB; up to 25 MB are read" in large
        assert "none.txt is empty." in await bellhop.told(posts(("none.txt", b"")))
        twice = await bellhop.told(posts(("a.txt", b"first words"), ("a.txt", b"second words")))
        assert "first words" in twice
        assert "second words" in twice
        ten = await bellhop.told(posts(*((f"{n}.txt", f"words {n}".encode()) for n in range(10))))
        assert "words 7" in ten
        assert "8.txt, 9.txt could not be read: only the first 8 files of a message" in ten


HOSTILE = [
    ("../../etc/passwd", ".._.._etc_passwd"),
    ("bill\u202efdp.exe", "bill fdp.exe"),
    ("a\x1b[2Jb\x00\nc.txt", "a [2Jb c.txt"),
    ("x" * 300 + ".txt", "…" + "x" * 12 + ".txt"),
    ("C:\\temp\\a.txt", "C:_temp_a.txt"),
    ("note\u2066.txt", "note .txt"),
]


async def test_every_way_of_slack(tmp_path: Path):
    async with on_slack() as town, asking(tmp_path, town) as bellhop:
        slack, ann, ben = town.slack, town.people["Ann"], town.people["Ben"]
        posted = ben.upload("bill.pdf", "application/pdf", BILL, "of May", town.general)
        assert READ in await bellhop.told(lambda: ann.share(posted, "what is the total?"))
        asked = f"<@{BOT_USER}> what is the total?"
        assert READ in await bellhop.told(lambda: ann.share(posted, asked, town.general))
        assert READ in await bellhop.told(lambda: ann.reply(posted, asked))
        closed = slack.channel("closed", ann, ben, kind=SlackKind.PRIVATE)
        secret = ben.upload("secret.pdf", "application/pdf", BILL, "ours", closed)
        shown = await bellhop.told(lambda: ann.share(secret, asked, town.general))
        assert READ not in shown, "a file of a private channel is not shown in another one"
        assert "(attached, not read: secret.pdf)" in shown

        def posts(mode: str = "hosted", elsewhere: str = "", name: str = "plan.pdf"):
            said = ann.upload(name, "application/pdf", BILL, "look")
            said.files[0].mode, said.files[0].elsewhere = mode, elsewhere

        drive = await bellhop.told(lambda: posts("external", "gdrive"))
        assert "plan.pdf is not kept on Slack (gdrive); they can upload a copy" in drive
        assert "it belongs to another company" in await bellhop.told(lambda: posts("foreign"))
        assert "it was deleted" in await bellhop.told(lambda: posts("tombstone"))
        slack.world.files.clear()

        def from_elsewhere():
            ann.upload("theirs.pdf", "application/pdf", BILL, "look")
            slack.world.files.clear()

        assert "of a place or company that Bellhop does not see" in await bellhop.told(
            from_elsewhere
        )
        for name, plain in HOSTILE:
            told = await bellhop.told(lambda name=name: posts(name=name))
            assert json.dumps(plain, ensure_ascii=False)[1:-1] in told, name
            assert "\u202e" not in told
        many = tuple(
            ann.upload(f"{n}.txt", "text/plain", f"words {n}".encode(), "", closed).files[0]
            for n in range(60)
        )
        sixty = await bellhop.told(lambda: ann.say("read all", files=many))
        assert "words 7" in sixty
        assert "27.txt and 32 more could not be read: only the first 8 files" in sixty


async def test_every_way_of_telegram(tmp_path: Path):
    async with on_telegram() as town, asking(tmp_path, town) as bellhop:
        ann, ben = town.people["Ann"], town.people["Ben"]
        posted = ben.upload("bill.pdf", BILL, "of May", town.general)
        assert READ in await bellhop.told(
            lambda: ann.mention("what's in this?", town.general, reply_to=posted)
        )
        assert READ in await bellhop.told(
            lambda: ann.say(
                "",
                document=posted.extra["document"],
                forward_origin={"type": "user", "sender_user": posted.author, "date": posted.date},
            )
        )
