"""Lives of a home: keys of sends and drafts keep apart."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.chat import LiveReply
from bot.domain.database import Unit, Write
from bot.domain.drafts import OpenDraft
from bot.domain.messages import OutgoingMessage, Receipt
from bot.domain.step_keys import draft_key, send_key, sibling_key, step_of, turn_of
from bot.plugins.discord_chat.names import draft_nonce, nonce
from bot.sessions.outbox.outbox import Lives
from bot.sessions.outbox.outbox_store import DraftStore, begin_life
from bot.storage.home import open_database
from bot.storage.values import HomeValue, drop_home_values
from bot.testing.app_lives import AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slow_to_tell import SlowToTell

identities = st.sampled_from(["", "0123456789ab", "ffffffffffff"])


async def answered(home: Path, chat: FakeChat, *texts: str) -> None:
    async with running_app(
        home, ScriptedModel([say(text) for text in texts], strict=True), chat
    ) as house:
        for text in texts:
            assert await house.ask("ann", "hi") == text
        await house.until_idle()


async def test_answers_of_a_lost_database_do_not_swallow_those_of_the_next(tmp_path: Path):
    chat = FakeChat()
    await answered(tmp_path, chat, "One.", "Two.")
    shutil.rmtree(tmp_path / "data")
    await answered(tmp_path, chat, "Three.", "Four.")
    assert chat.texts == ["One.", "Two.", "Three.", "Four."]


async def test_answers_after_a_restored_copy_do_not_meet_those_of_before(tmp_path: Path):
    chat, copy = FakeChat(), tmp_path / "copy"
    await answered(tmp_path, chat, "One.")
    shutil.copytree(tmp_path / "data", copy)
    await answered(tmp_path, chat, "Two.")
    shutil.rmtree(tmp_path / "data")
    shutil.copytree(copy, tmp_path / "data")
    await answered(tmp_path, chat, "Three.")
    assert chat.texts == ["One.", "Two.", "Three."]


class GoneAfterSending(FakeChat):
    """The process ends when a message has become visible, before that is on record."""

    world: AppLives | None = None

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        receipt = await super().send(message, key, live)
        if self.world is not None:
            self.world.kill()
        return receipt


@pytest.mark.parametrize("upgraded", [True, False])
async def test_open_sends_keep_their_keys_over_restarts_and_upgrades(
    tmp_path: Path, upgraded: bool
):
    chat = GoneAfterSending()
    lives = AppLives(tmp_path, chat)
    async with lives.life(ScriptedModel([say("One.")])) as life:
        if upgraded:  # the last version gave keys without an identity
            await life.app.database.write(Unit.of(drop_home_values(HomeValue.LIFE)))
        chat.world = lives
        await life.tell("ann", "hi", key="m1")
    chat.world = None
    async with lives.life(ScriptedModel([say("One again.")])) as life:
        await life.settle()
        await life.tell("ann", "more", key="m2")
    assert chat.texts == ["One.", "One again."]
    assert ["@" in post.key for post in chat.posts] == [not upgraded, True]


async def test_a_life_without_work_leaves_no_row_and_each_turn_keeps_its_life(tmp_path: Path):
    path = tmp_path / "bellhop.db"
    database = await open_database(path)
    try:
        for turn in (1, 2):
            await begin_life(database)
            await begin_life(database)
            accepted = (
                "INSERT INTO inbox (session, key, body, state, accepted_at) VALUES ('s', ?, '{}', "
                "'new', '')"
            )
            await database.write(Unit.of(Write(accepted, (f"m{turn}",))))
        lives = Lives(database)
        first, second = [await lives.identity(turn) for turn in (1, 2)]
        assert first != second
        assert await Lives(database).identity(1) == first
        assert await lives.identity(0) == ""
    finally:
        await database.close()
    with closing(sqlite3.connect(path)) as connection:
        begun = connection.execute("SELECT count(*) FROM home_values WHERE name = 'life'")
        assert begun.fetchone() == (2,)


async def test_what_was_read_before_another_process_began_a_life_is_not_kept(tmp_path: Path):
    database = await open_database(tmp_path / "data.db")
    try:
        slow = SlowToTell(database)
        lives = Lives(slow)
        early = asyncio.create_task(lives.identity(1))
        await slow.has_read.wait()
        await begin_life(database)
        await lives.forget()
        slow.gate.set()
        assert await early == ""
        assert await lives.identity(1) == await Lives(database).identity(1) != ""
    finally:
        await database.close()


@given(
    st.text(st.characters(exclude_characters="/"), min_size=1, max_size=8),
    st.text(max_size=20),
    identities,
)
def test_parts_of_a_key_are_found_again(turn: str, step: str, identity: str):
    key = send_key(turn, f"send:{step}", identity)
    assert turn_of(key) == turn
    if identity:
        assert step_of(key) == f"{turn}/send:{step}"
        assert draft_key(key) == f"{turn}@{identity}"
    assert draft_key(sibling_key(key, "send:refused")) == draft_key(key)


@given(identities, identities)
def test_nonces_of_an_answer_and_its_draft_differ_by_life(one: str, other: str):
    first, second = send_key("t1", "send:answer", one), send_key("t1", "send:answer", other)
    assert (nonce(first) == nonce(second)) == (one == other)
    assert (draft_nonce(first) == draft_nonce(second)) == (one == other)


async def test_a_draft_is_on_record_until_it_is_forgotten(tmp_path: Path):
    draft = OpenDraft("d1", "C|1", "1%7C1", "1.2")
    started = OpenDraft("d1", "C|1", "1%7C1", "1.2", "1|3")
    database = await open_database(tmp_path / "bellhop.db")
    await DraftStore(database).note("slack", draft)
    await DraftStore(database).note("slack", started)
    await database.close()
    database = await open_database(tmp_path / "bellhop.db")
    drafts = DraftStore(database)
    assert [*await drafts.left("slack")] == [started]
    assert [*await drafts.left("elsewhere")] == []
    await drafts.forget("slack", "d1")
    assert [*await drafts.left("slack")] == []
    await database.close()
