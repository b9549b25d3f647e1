"""A platform whose connection another process holds."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.chat.remote.adapter import fold
from bot.chat.remote.calls import METHODS, AdapterCall, GatewayLine, call_of
from bot.chat.remote.held import CallDesk
from bot.chat.remote.notes import note_from_text, update_from_json, update_to_json
from bot.domain.chat import (
    LIVE_UPDATES,
    HasReaders,
    KnowsMembers,
    KnowsReaders,
    LiveReply,
    LiveUpdate,
    Probed,
    SearchesItself,
    Shows,
    ShowsWaiting,
    TextDelta,
    TextReset,
    ToolStarted,
)
from bot.domain.forums import ForumPost, KnowsForums, PostTag
from bot.domain.messages import (
    Attachment,
    Conversation,
    OutgoingFile,
    OutgoingMessage,
    Place,
    Receipt,
    ReplyTarget,
)
from bot.domain.polls import KnowsPolls, NewPoll
from bot.domain.processes import OneProcess
from bot.domain.server_events import KnowsServerEvents, NewServerEvent
from bot.errors import DeliveryError
from bot.testing.fake_chat import FakeChat, fetched
from bot.testing.live_updates import EACH_KIND
from bot.testing.postgres_server import PostgresServer, postgres_programs
from bot.testing.refusals import final, passing
from bot.testing.remote_town import IMPATIENT, RemoteTown, over_postgres, remote_town
from bot.testing.waiting import until

CHANNEL = Conversation("discord", "w", "general", Place.CHANNEL)
TARGET = ReplyTarget(CHANNEL)
WITHOUT_TEXT = len(EACH_KIND) - 1
"""The text before a reset is not sent."""


@dataclass
class Network(OneProcess):
    """Loses what `loses` says, and keeps what was posted."""

    loses: Callable[[str, str], bool] = lambda _channel, _text: False
    posted: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def __post_init__(self) -> None:
        super().__init__()

    def post(self, channel: str, text: str) -> None:
        self.posted.append((channel, text))
        if not self.loses(channel, text):
            super().post(channel, text)

    def notes(self) -> list[str]:
        return [note_from_text(text).note for _, text in self.posted]


@pytest.fixture
def network() -> Network:
    return Network()


@pytest.fixture
async def town(tmp_path: Path, network: Network) -> AsyncGenerator[RemoteTown]:
    async with remote_town(tmp_path, network, network) as made:
        yield made


@pytest.fixture
async def hasty(tmp_path: Path, network: Network) -> AsyncGenerator[RemoteTown]:
    """Its caller soon gives up."""
    async with remote_town(tmp_path, network, network, IMPATIENT) as made:
        yield made


async def test_a_send_is_offered_taken_told_to_go_and_answered(town: RemoteTown, network: Network):
    sent = await town.chat.send(OutgoingMessage(TARGET, "hello"), "k1")
    assert town.there.texts == ["hello"]
    assert sent.message_ids == ("k1",)
    assert network.notes() == ["serving", "offer", "taken", "go", "answered"]


async def test_a_question_about_the_platform_takes_two_notes(town: RemoteTown, network: Network):
    town.there.readers.of["general"] = {"ann"}
    assert await town.chat.readers.may_read("ann", CHANNEL)
    assert not await town.chat.readers.may_read("ben", CHANNEL)
    assert network.notes()[1:] == ["offer", "answered"] * 2


async def test_polls_are_posted_read_and_ended_at_the_gateway(town: RemoteTown):
    polls, ask = town.chat.polls, NewPoll("Tea?", ("yes", "no"), 2, several=True)
    made = await polls.post(TARGET, ask, "k1")
    assert await polls.post(TARGET, ask, "k1") == made
    assert list(town.there.polls.posted.values()) == [made]
    town.there.polls.count(made.message, 2, 1, ended=False)
    found = await polls.find(CHANNEL, made.message)
    assert found is not None
    assert [(one.text, one.votes) for one in found.answers] == [("yes", 2), ("no", 1)]
    assert await polls.newest(CHANNEL, 3) == [found]
    assert await polls.find(CHANNEL, "no poll") is None
    assert (await polls.end(found)).ended
    town.there.polls.moderators.add("ann")
    assert await polls.may_post("ben", CHANNEL)
    assert [await polls.may_end(who, CHANNEL) for who in ("ann", "ben")] == [True, False]
    town.there.polls.away = True
    with pytest.raises(DeliveryError, match="is away"):
        await polls.newest(CHANNEL, 3)


async def test_a_post_of_a_forum_is_read_and_changed_at_the_gateway(town: RemoteTown):
    forums = town.chat.forums
    assert await forums.find(CHANNEL) is None
    post = ForumPost(CHANNEL, "No mail", "ann", ("bug",), (PostTag("bug"), PostTag("solved")))
    town.there.forums.post = post
    assert await forums.find(CHANNEL) == post
    await forums.change(post, ["bug", "solved"], closed=True, locked=False)
    assert town.there.forums.post == replace(post, tags=("bug", "solved"), closed=True)
    town.there.forums.moderators.add("ben")
    assert [await forums.moderates(who, CHANNEL) for who in ("ann", "ben")] == [False, True]


async def test_events_of_a_server_are_made_and_cancelled_at_the_gateway(town: RemoteTown):
    events, starts = town.chat.server_events, datetime(2026, 12, 4, 18, tzinfo=UTC)
    new = NewServerEvent("Meetup", starts, starts + timedelta(hours=2), "Town hall")
    made = await events.make(CHANNEL, new)
    assert (made.name, made.starts_at, made.where) == ("Meetup", starts, "Town hall")
    assert await events.ahead(CHANNEL) == town.there.server_events.known == [made]
    await events.cancel(CHANNEL, made)
    assert town.there.server_events.known == []
    town.there.server_events.organisers.add("ann")
    assert await events.may_make("ann", CHANNEL)
    assert not await events.may_cancel("ben", CHANNEL)


async def test_nobody_may_post_polls_while_no_gateway_tells(hasty: RemoteTown):
    hasty.desk.leave("discord")
    assert not await hasty.chat.polls.may_post("ann", CHANNEL)


@pytest.mark.parametrize("lost", ["offer", "taken", "go", "answered"])
async def test_a_note_that_is_lost_is_said_again_and_the_message_is_posted_once(
    tmp_path: Path, lost: str
):
    left = [lost]

    def loses(_channel: str, text: str) -> bool:
        if left and note_from_text(text).note == left[0]:
            left.clear()
            return True
        return False

    network = Network(loses)
    async with remote_town(tmp_path, network, network) as town:
        await town.chat.send(OutgoingMessage(TARGET, "hello"), "k1")
        assert town.there.texts == ["hello"]


async def test_without_a_gateway_the_send_can_be_tried_again_later(hasty: RemoteTown):
    hasty.desk.leave("discord")
    with pytest.raises(DeliveryError, match="no gateway serves discord now", check=passing):
        await hasty.chat.send(OutgoingMessage(TARGET, "hello"), "k1")
    assert not await hasty.chat.readers.may_read("ann", CHANNEL), "what nobody can tell is no"
    assert hasty.there.texts == []


async def test_a_gateway_that_wakes_up_late_makes_no_call_that_nobody_waits_for(tmp_path: Path):
    """Its notes were kept by the system while it was frozen."""
    network = Network(lambda _channel, text: note_from_text(text).note == "offer")
    async with remote_town(tmp_path, network, network, IMPATIENT) as town:
        with pytest.raises(DeliveryError):
            await town.chat.send(OutgoingMessage(TARGET, "hello"), "k1")
        network.loses = lambda _channel, _text: False
        for channel, text in list(network.posted):
            if note_from_text(text).note == "offer":
                network.post(channel, text)
        await until(lambda: "taken" in network.notes())
        await town.chat.find_sent(TARGET, "k1")  # comes after them
    assert town.there.texts == []


async def keeps_nothing(pieces: AsyncGenerator[bytes]) -> str:
    raise AssertionError(pieces)


class Frozen(FakeChat):
    """Takes a message and never answers."""

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        await super().send(message, key, live)
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_gateway_death_during_a_send_leaves_it_unknown_but_never_doubled(
    town: RemoteTown, network: Network
):
    frozen = Frozen("discord")
    frozen.posts = town.there.posts
    town.serve(frozen)
    sending = asyncio.create_task(town.chat.send(OutgoingMessage(TARGET, "hello"), "k1"))
    await until(lambda: town.there.posts)

    other = CallDesk(network, "other", keeps_nothing)
    town.desk.leave("discord")
    other.serve("discord", town.there)
    with pytest.raises(DeliveryError, match="nobody knows whether it was made", check=passing):
        await sending
    assert await town.chat.find_sent(TARGET, "k1") is not None
    assert town.there.texts == ["hello"]


async def test_a_gateway_that_says_nothing_more_is_given_up(hasty: RemoteTown, network: Network):
    hasty.serve(Frozen("discord"))
    sending = asyncio.create_task(hasty.chat.send(OutgoingMessage(TARGET, "hello"), "k1"))
    await until(lambda: "go" in network.notes())
    network.loses = lambda _channel, text: note_from_text(text).note == "taken"
    with pytest.raises(DeliveryError, match="is gone"):
        await sending


@pytest.mark.parametrize("has_begun", [True, False])
async def test_a_gateway_that_ends_says_so_to_those_who_wait(
    has_begun: bool, tmp_path: Path, network: Network
):
    frozen = Frozen("discord")
    async with remote_town(tmp_path, network, network) as town:
        town.serve(frozen)
        sending = asyncio.create_task(town.chat.send(OutgoingMessage(TARGET, "hello"), "k1"))
        await until(lambda: frozen.posts if has_begun else "go" in network.notes())
    assert bool(frozen.posts) == has_begun
    with pytest.raises(DeliveryError, match="ended meanwhile", check=passing):
        async with asyncio.timeout(60):
            await sending


async def test_files_go_along_by_the_names_of_their_blobs(town: RemoteTown):
    files = (OutgoingFile("plan.md", "text/markdown", "ab" * 32),)
    await town.chat.send(OutgoingMessage(TARGET, "Here.", files=files), "k1")
    assert [post.message.files for post in town.there.posts] == [files]


async def test_the_platforms_error_reaches_the_caller(town: RemoteTown):
    town.there.refuse = lambda _message: DeliveryError("no such channel", retryable=False)
    with pytest.raises(DeliveryError, match="no such channel", check=final):
        await town.chat.send(OutgoingMessage(TARGET, "hello"), "k1")


async def test_a_defect_of_an_adapter_is_told_without_its_words(
    town: RemoteTown, caplog: pytest.LogCaptureFixture
):
    async def broken(*_: object) -> None:
        raise RuntimeError("secret words")

    town.there.member = broken  # type: ignore[method-assign]
    with pytest.raises(DeliveryError, match="RuntimeError") as raised:
        await town.chat.member(CHANNEL, "ann")
    assert "secret" not in str(raised.value)
    assert "secret words" in caplog.text


async def test_a_draft_grows_at_the_gateway_and_becomes_the_answer(town: RemoteTown):
    live = town.chat.live(TARGET, "t1", "k1")
    for word in ("It ", "is ", "late."):
        live.show(TextDelta(word))
    live.show(ToolStarted("c1", "search", "search late"))
    await town.chat.send(OutgoingMessage(TARGET, "It is late."), "k1", live)
    await live.close()
    await live.close()
    (shown,) = town.there.lives
    assert shown.updates[0] == TextDelta("It is late."), "pieces of text are told in one"
    assert shown.closed
    live.show(TextDelta("too late"))
    await town.chat.find_sent(TARGET, "k1")
    assert TextDelta("too late") not in shown.updates


async def test_a_turn_rerun_in_another_process_closes_the_earlier_draft(town: RemoteTown):
    town.chat.live(TARGET, "t1", "k1").show(TextDelta("half"))
    await until(lambda: town.there.lives and town.there.lives[0].updates)
    town.chat.live(TARGET, "t1", "k1")
    await until(lambda: town.there.lives[0].closed)
    assert not town.there.lives[1].closed


async def test_another_gateway_shows_a_draft_from_its_beginning(town: RemoteTown, network: Network):
    live = town.chat.live(TARGET, "t1", "k1")
    live.show(TextDelta("from the "))
    await until(lambda: town.there.lives and town.there.lives[0].updates)

    there = FakeChat("discord")
    town.desk.leave("discord")
    CallDesk(network, "other", keeps_nothing).serve("discord", there)
    live.show(TextDelta("beginning"))
    await until(lambda: there.lives and there.lives[0].updates)
    assert there.lives[0].updates == [TextDelta("from the beginning")]


def test_folded_updates_end_in_the_same_view():
    updates: list[LiveUpdate] = []
    started = ToolStarted("c", "n", "s")
    words = [TextDelta(word) for word in "abcd"]
    for update in (*words[:2], started, words[2], TextReset(), words[3]):
        fold(updates, update)
    assert updates == [started, TextReset(), words[3]]


async def test_every_kind_of_update_reaches_the_gateway(town: RemoteTown):
    live = town.chat.live(TARGET, "t1", "k1")
    for update in EACH_KIND:
        live.show(update)
    await until(lambda: town.there.lives and len(town.there.lives[0].updates) >= WITHOUT_TEXT)
    await live.close()
    assert {type(one) for one in town.there.lives[0].updates} == {*LIVE_UPDATES.values()}


@pytest.mark.parametrize("update", EACH_KIND)
def test_updates_travel_as_json(update: LiveUpdate):
    assert update_from_json(update_to_json(update)) == update


async def test_a_file_comes_through_the_blobs_of_the_home(town: RemoteTown, tmp_path: Path):
    town.there.files["f1"] = bytes(range(256)) * 4096
    got = await fetched(town.chat, Attachment("f1", "f.bin", "application/x", 2**20))
    assert got == town.there.files["f1"]
    with pytest.raises(DeliveryError, match="is gone"):
        await fetched(town.chat, Attachment("f2", "gone.bin", "application/x", 1))


def test_it_is_all_that_callers_ask_for(town: RemoteTown):
    assert isinstance(town.chat, HasReaders)
    assert isinstance(town.chat, KnowsMembers)
    assert isinstance(town.chat, Shows)
    assert isinstance(town.chat, ShowsWaiting)
    assert isinstance(town.chat.readers, SearchesItself)


async def test_readers_members_and_links_are_those_of_the_platform(town: RemoteTown):
    town.there.readers.of["general"] = {"ann"}
    town.there.roles["ann"] = ("r1",)
    readers = town.chat.readers
    assert await readers.may_write("ann", CHANNEL)
    assert await readers.channel_named("GENERAL", CHANNEL) == CHANNEL
    assert await readers.link(CHANNEL, "7") == "https://chat.example/general/7"
    assert readers.name_of(CHANNEL) == ""
    await until(lambda: readers.name_of(CHANNEL) == "general")
    found = await town.chat.member(CHANNEL, "ann")
    assert found is not None
    assert found.platform_roles == ("r1",)
    town.there.absent.add("ben")
    assert await town.chat.member(CHANNEL, "ben") is None
    town.there.unreachable = True
    with pytest.raises(DeliveryError, match="does not answer"):
        await town.chat.probe()


async def test_a_closed_view_and_a_probe_give_nothing(town: RemoteTown):
    assert await town.caller.call("discord", call_of(GatewayLine.close_live, "nobody's")) is None
    assert await town.caller.call("discord", call_of(Probed.probe)) is None


async def test_a_gateway_makes_only_calls_that_are_listed(town: RemoteTown):
    with pytest.raises(DeliveryError, match=r"knows no ChatAdapter\.run"):
        await town.caller.call("discord", AdapterCall("ChatAdapter.run", {"accept": None}))
    with pytest.raises(DeliveryError, match="not those of this version") as refused:
        await town.caller.call(
            "discord", AdapterCall("GatewayLine.send", {"words": "the salary of Ann"})
        )
    assert "salary" not in str(refused.value)


@pytest.mark.parametrize(
    "asked", [KnowsReaders, KnowsPolls, KnowsForums, KnowsServerEvents, KnowsMembers]
)
def test_all_that_a_part_of_an_adapter_is_asked_is_listed(asked: type):
    written = {f"{asked.__name__}.{name}" for name in vars(asked) if not name.startswith("_")}
    assert written
    assert written <= {*METHODS}


if postgres_programs():

    async def test_a_long_message_crosses_postgresql_in_pieces(
        tmp_path: Path, postgres: PostgresServer
    ):
        text = "ä🙂 " * 3_000
        async with over_postgres(tmp_path, postgres.url(postgres.database())) as town:
            messages = [OutgoingMessage(TARGET, f"{n}{text}") for n in range(3)]
            await asyncio.gather(*(town.chat.send(one, one.text[0]) for one in messages))
            assert sorted(town.there.texts) == [f"{n}{text}" for n in range(3)]


def test_a_note_of_another_version_is_refused_without_what_people_wrote():
    text = '{"note": "answered", "id": "1", "valeur": "the salary of Ann"}'
    with pytest.raises(ValueError, match=r"answered\.value") as refused:
        note_from_text(text)
    assert "salary" not in str(refused.value)
    assert refused.value.__suppress_context__
