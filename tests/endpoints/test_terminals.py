"""Terminals attached to a running Bellhop: both ends over a real socket."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.chat.terminal.files import read_attachment
from bot.domain.chat import (
    Acceptance,
    LiveReply,
    LiveUpdate,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
)
from bot.domain.messages import (
    Choice,
    IncomingMessage,
    OutgoingFile,
    OutgoingMessage,
    PlatformPerson,
    PostedCard,
    Receipt,
    ReplyTarget,
)
from bot.endpoints import wire
from bot.endpoints.attach import BellhopGone, attach
from bot.endpoints.control import ControlServer
from bot.endpoints.terminals import SocketTerminals
from bot.errors import DeliveryError
from bot.testing import waiting
from bot.testing.fake_clock import FakeClock
from bot.testing.live_updates import EACH_KIND
from bot.testing.refusals import passing
from bot.testing.scripted_view import ScriptedView

YES = (Choice("Yes", "a1", "approve"),)


async def until(event: asyncio.Event) -> None:
    async with asyncio.timeout(60):
        await event.wait()


def target(name: str = "") -> ReplyTarget:
    return ReplyTarget(terminal_conversation(name or None))


class Running:
    """A running Bellhop, as far as terminals see it."""

    def __init__(self, path: Path, local: TerminalChat | None = None) -> None:
        self.path = path
        self.attached = asyncio.Event()
        self.got = asyncio.Event()
        self.accepted: list[IncomingMessage] = []
        self.terminals = SocketTerminals(
            read_attachment, local=local, on_attached=self._on_attached
        )
        self.tasks: list[asyncio.Task[None]] = []

    async def _on_attached(self, conversation: str) -> None:
        self.attached.set()

    async def accept(self, message: IncomingMessage) -> Acceptance:
        self.accepted.append(message)
        self.got.set()
        return Acceptance.TURN

    async def send(
        self,
        text: str,
        key: str = "k1",
        live: LiveReply | None = None,
        *,
        to: str = "",
        **extra: Any,
    ) -> Receipt:
        """Send to the conversation of a person, or of whoever gave no name."""
        return await self.terminals.send(OutgoingMessage(target(to), text, **extra), key, live)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


@asynccontextmanager
async def bellhop(folder: Path, local: TerminalChat | None = None) -> AsyncGenerator[Running]:
    running = Running(folder / "bellhop.sock", local)
    async with ControlServer(running.path, running.terminals.handlers):
        running.tasks = [asyncio.create_task(running.terminals.run(running.accept))]
        try:
            yield running
        finally:
            await running.stop()


def terminal(view: ScriptedView, folder: Path, name: str | None = None) -> TerminalChat:
    person = PlatformPerson(name or "me", name or "me")
    return TerminalChat(
        view,
        FakeClock(),
        person=person,
        conversation=terminal_conversation(name),
        folder=folder,
        blobs=folder / "blobs",
        downloads=folder / "downloads",
    )


@asynccontextmanager
async def screen(
    running: Running, view: ScriptedView, folder: Path, name: str | None = None
) -> AsyncGenerator[TerminalChat]:
    chat = terminal(view, folder, name)
    running.attached.clear()
    task = asyncio.create_task(attach(running.path, chat, chat.left))
    await until(running.attached)
    try:
        yield chat
    finally:
        view.leave()
        async with asyncio.timeout(60):
            await task


async def test_a_message_goes_over_and_its_answer_comes_back(tmp_path: Path):
    view = ScriptedView()
    view.columns = 61
    async with bellhop(tmp_path) as running, screen(running, view, tmp_path, "Anna"):
        view.type("hello")
        await until(running.got)
        (message,) = running.accepted
        assert message.text == "hello"
        assert message.conversation.id == message.sender.id == "Anna"
        assert message.columns == 61
        live = running.terminals.live(message.reply_to, "t1")
        live.show(ToolStarted("1", "a", "a()"))
        live.show(ToolEnded("1", "a", ok=True, seconds=0.1))
        live.show(TextDelta("Hi"))
        receipt = await running.send("Hi.", "k1", live, to="Anna", choices=YES)
        await live.close()
        assert receipt.conversation == "Anna"
        assert await running.terminals.find_sent(message.reply_to, "k1") == receipt
        assert await running.terminals.find_sent(message.reply_to, "k2") is None
        await running.send("Hi.", to="Anna")
    assert view.said == ["Hi."]
    assert view.offered[0][0].label == "Yes"
    assert view.tools == ["a() ✓"]
    assert any(progress is not None and progress.text == "Hi" for progress in view.shown_progress)
    assert view.shown_progress[-1] is None


async def test_an_answer_for_somebody_who_left_is_kept_for_later(tmp_path: Path):
    view, again = ScriptedView(), ScriptedView()
    async with bellhop(tmp_path) as running:
        async with screen(running, view, tmp_path):
            pass
        with pytest.raises(DeliveryError, check=passing):
            await running.send("late")
        async with screen(running, again, tmp_path):
            await running.send("late")
    assert again.said == ["late"]


async def test_a_file_is_saved_where_it_is_shown_and_once_for_two_screens(tmp_path: Path):
    views = (ScriptedView(), ScriptedView(), ScriptedView())
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / "b1").write_bytes(b"A plan")
    async with (
        bellhop(tmp_path) as running,
        screen(running, views[0], tmp_path),
        screen(running, views[1], tmp_path),
        screen(running, views[2], tmp_path / "other", "Ben"),
    ):
        await running.send("Here.", files=(OutgoingFile("plan.md", "text/markdown", "b1"),))
    saved = tmp_path / "downloads" / "plan.md"
    assert views[0].said == views[1].said == [f"Here.\n\n📎 Saved as `{saved}`"]
    assert views[2].said == []
    assert [one.read_bytes() for one in saved.parent.iterdir()] == [b"A plan"]
    assert not (tmp_path / "other" / "downloads").exists()


async def test_people_do_not_see_each_others_conversations(tmp_path: Path):
    anna, ben = ScriptedView(), ScriptedView()
    async with (
        bellhop(tmp_path) as running,
        screen(running, anna, tmp_path, "Anna"),
        screen(running, ben, tmp_path, "Ben"),
    ):
        running.terminals.live(target("Anna"), "t1").show(TextDelta("secret"))
        await running.send("secret", to="Anna")
    assert anna.said == ["secret"]
    assert ben.said == []
    assert all(progress is None for progress in ben.shown_progress)


async def test_two_screens_of_one_person_both_show_an_answer(tmp_path: Path):
    first, second = ScriptedView(), ScriptedView()
    async with (
        bellhop(tmp_path) as running,
        screen(running, first, tmp_path),
        screen(running, second, tmp_path),
    ):
        await running.send("Hi.")
    assert first.said == second.said == ["Hi."]


async def test_a_card_that_is_over_is_said_on_every_screen_that_still_offers_it(tmp_path: Path):
    first, second = ScriptedView(), ScriptedView()
    async with (
        bellhop(tmp_path) as running,
        screen(running, first, tmp_path),
        screen(running, second, tmp_path),
    ):
        card = OutgoingMessage(target(), "May I?", YES)
        posted = PostedCard("k1", card, await running.terminals.send(card, "k1"))
        await running.terminals.close_card(posted, "Approved by Olga")
        await waiting.until(lambda: first.notices and second.notices)
    assert first.notices == second.notices == ["Approved by Olga (May I?)"]


async def test_the_local_terminal_and_attached_ones_share_the_platform(tmp_path: Path):
    at_home, elsewhere = ScriptedView(), ScriptedView()
    async with (
        bellhop(tmp_path, terminal(at_home, tmp_path)) as running,
        screen(running, elsewhere, tmp_path, "Anna"),
    ):
        at_home.type("hello from here")
        await until(running.got)
        live = running.terminals.live(target(), "t1")
        live.show(TextDelta("for m"))
        await running.send("for me", "k1", live)
        await live.close()
        await running.send("for Anna", "k2", to="Anna")
        assert await running.terminals.find_sent(target(), "k1") is not None
    assert at_home.said == ["for me"]
    assert elsewhere.said == ["for Anna"]


async def test_a_client_speaks_for_its_own_conversation_only(tmp_path: Path):
    view = ScriptedView()
    async with bellhop(tmp_path) as running, screen(running, view, tmp_path, "Anna") as chat:
        chat.conversation = terminal_conversation("Ben")
        view.type("as somebody else")
        await waiting.until(lambda: view.notices)
        assert "not attached" in view.notices[0]
    assert running.accepted == []


async def test_a_client_is_sent_what_is_said_in_its_own_conversation_only(tmp_path: Path):
    view = ScriptedView()
    async with bellhop(tmp_path) as running, screen(running, view, tmp_path, "Ben") as chat:
        chat.conversation = terminal_conversation("Anna")
        with pytest.raises(DeliveryError, match="nobody is at the terminal of Anna"):
            await running.send("secret", to="Anna")
    assert view.said == []


async def test_a_bellhop_that_stops_is_said_at_the_terminal(tmp_path: Path):
    view = ScriptedView()
    chat = terminal(view, tmp_path)
    async with bellhop(tmp_path) as running:
        task = asyncio.create_task(attach(running.path, chat, chat.left))
        await until(running.attached)
    with pytest.raises(BellhopGone, match="has stopped"):
        async with asyncio.timeout(60):
            await task
    assert view.closed == 1


async def test_attached_files_are_read_on_this_machine(tmp_path: Path):
    (tmp_path / "a.txt").write_bytes(b"abc")
    view = ScriptedView("read @a.txt")
    async with bellhop(tmp_path) as running, screen(running, view, tmp_path):
        await until(running.got)
        (attachment,) = running.accepted[0].attachments
        assert [piece async for piece in running.terminals.fetch(attachment)] == [b"abc"]


async def test_every_kind_of_update_reaches_a_screen_and_the_answer_comes(tmp_path: Path):
    there, here = ScriptedView(), ScriptedView()
    async with (
        bellhop(tmp_path, terminal(here, tmp_path)) as running,
        screen(running, there, tmp_path, "Anna"),
    ):
        for name in ("Anna", ""):
            live = running.terminals.live(target(name), f"t{name}")
            for update in EACH_KIND:
                live.show(update)
            await running.send("It is sunny.", f"{name}/k1", live, to=name)
            await live.close()
    for view in (there, here):
        assert view.said == ["It is sunny."]
        plans = [one.plan for one in view.shown_progress if one is not None and one.plan]
        assert plans[-1] in EACH_KIND


@pytest.mark.parametrize("update", EACH_KIND)
def test_every_kind_of_update_survives_the_wire(update: LiveUpdate):
    assert wire.update(wire.update_to_json(update)) == update


TEXT = st.text(st.characters(codec="utf-8"), max_size=50)
UPDATES = st.one_of(
    st.builds(TextDelta, TEXT),
    st.builds(TextReset),
    st.builds(Thinking, TEXT),
    st.builds(Status, TEXT),
    st.builds(ToolStarted, TEXT, TEXT, TEXT),
    st.builds(ToolEnded, TEXT, TEXT, st.booleans(), st.floats(0, 1000), TEXT),
)


@given(UPDATES)
def test_updates_survive_the_wire(update: LiveUpdate):
    assert wire.update(wire.update_to_json(update)) == update


@pytest.mark.parametrize(
    "data", [None, 3, {}, {"type": "nope"}, {"type": "TextDelta"}, {"type": "TextDelta", "text": 3}]
)
def test_a_bad_update_is_named(data: object):
    with pytest.raises(wire.BadParams):
        wire.update(data)
