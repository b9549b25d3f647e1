"""Discord messages in and out, within Discord's limits, without a connection."""

import sys
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import ModuleType
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import SystemClock
from bot.domain.json_types import JsonObject
from bot.domain.messages import (
    Action,
    Addressed,
    Choice,
    Conversation,
    IncomingMessage,
    OutgoingMessage,
    Place,
    PlatformPerson,
    ReplyTarget,
)
from bot.domain.step_keys import turn_of
from bot.loopback.discord.limits import check_commands, check_message
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.application_commands import BUILT_IN, for_all, hashes
from bot.plugins.discord_chat.components import (
    choice_rows,
    draft_turn,
    full_options,
    read_click,
    stop_row,
)
from bot.plugins.discord_chat.intake import Intake, readable, title_of
from bot.plugins.discord_chat.names import (
    NONCE_CHARS,
    FileRef,
    ReplyToken,
    Root,
    draft_nonce,
    nonce,
)
from bot.plugins.discord_chat.pieces import MOST_CHARS, posts_of, with_line
from bot.plugins.discord_chat.seen import SeenClick, SeenMessage, SeenPlace
from bot.plugins.discord_chat.settings import DiscordSettings, PlaceSettings

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
CHANNEL = SeenPlace("10", "1", title="general")
THREAD = SeenPlace("20", "1", parent="10", thread_owner="99", title="Topic")
ANN = PlatformPerson("5", "Ann")
BOT = "99"
SAID = SeenMessage("30", CHANNEL, ANN, "hello", NOW, BOT)
CALLED = replace(SAID, content="<@99> hello")
IDS = st.text("0123456789", min_size=1, max_size=20)


async def not_followed(_conversation: str) -> bool:
    return False


async def no_root(_channel: str, _message: str) -> str | None:
    return None


def intake(**settings: object) -> Intake:
    return Intake(DiscordSettings.model_validate(settings), not_followed, no_root)


async def heard(seen: SeenMessage, **settings: object) -> IncomingMessage:
    message = await intake(**settings).read(seen)
    assert message is not None
    return message


# --- who is addressed ---


@pytest.mark.parametrize(
    ("seen", "addressed"),
    [
        (SAID, Addressed.NONE),
        (CALLED, Addressed.MENTION),
        (replace(SAID, content="hello <@!99>"), Addressed.MENTION),
        (replace(SAID, content="<@&77> hello", bot_roles=frozenset({"77"})), Addressed.MENTION),
        (replace(SAID, content="<@&77> hello"), Addressed.NONE),
        (replace(SAID, content="<@991> hello"), Addressed.NONE),
        (replace(SAID, reply_to="29", reply_author=BOT), Addressed.REPLY),
        (replace(SAID, reply_to="29", reply_author="5"), Addressed.NONE),
        (replace(SAID, place=THREAD), Addressed.FOLLOWED),
        (replace(SAID, place=THREAD, content="<@6> hello"), Addressed.NONE),
        (replace(SAID, place=replace(THREAD, thread_owner="5")), Addressed.NONE),
        (replace(SAID, place=SeenPlace("40")), Addressed.DM),
    ],
)
async def test_who_is_addressed(seen: SeenMessage, addressed: Addressed):
    assert (await heard(seen)).addressed is addressed


async def test_a_reply_tells_which_message_it_answers():
    assert (await heard(SAID)).answers is None
    assert (await heard(replace(SAID, reply_to="29", reply_author=BOT))).answers == "29"


async def test_a_place_is_as_its_thread_channel_and_guild_say_nearest_first():
    settings = DiscordSettings(
        channels={
            "10": PlaceSettings(answer="all"),
            "20": PlaceSettings(threads="off"),
            "workspace:1": PlaceSettings(answer="off"),
            "workspace:2": PlaceSettings(answer="off"),
        }
    )
    assert settings.place("1", "20", "10").answer == "all"
    assert not settings.place("1", "20", "10").threads
    assert settings.place("1", "11").answer == "off"
    assert settings.place(None, "40").answer == "mention"
    reader = Intake(settings, not_followed, no_root)
    assert await reader.read(replace(CALLED, place=SeenPlace("50", "2"))) is None


async def test_a_thread_mention_stays_and_a_channel_mention_opens_a_thread():
    there = await heard(replace(CALLED, place=THREAD))
    topic = Conversation("discord", "1", "20", Place.THREAD, "Topic")
    assert there.reply_to == ReplyTarget(topic, message="30")
    new = await heard(CALLED)
    assert new.reply_to.conversation == Conversation("discord", "1", "30", Place.THREAD, "hello")
    assert new.reply_to.start_thread_from == "10/30"


async def test_without_threads_the_channel_is_the_conversation():
    message = await heard(CALLED, threads="off")
    general = Conversation("discord", "1", "10", Place.CHANNEL, "general")
    assert message.reply_to == ReplyTarget(general, message="30")


async def test_a_foreign_button_is_nothing():
    click = SeenClick("31", CHANNEL, ANN, NOW, "token", custom_id="somebody:else", message="29")
    assert await intake().click(click) is None


# --- texts ---


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<@99> hello", "hello"),
        ("<@!99>, hello", "hello"),
        ("  <@99>:hello", "hello"),
        ("<@99>", ""),
        ("hello <@99>", "hello @Bellhop"),
        ("tell <@6> and <@&7> in <#8>", "tell @Bob and @team in #general"),
        ("who is <@123>?", "who is <@123>?"),
        ("nice <:party:123> <a:dance:5> </help:44>", "nice :party: :dance: /help"),
        ("a < b > c <b>", "a < b > c <b>"),
        (
            "at <t:1763913600:R>, not <t:1763917200>",
            "at 2025-11-23 16:00 UTC, not 2025-11-23 17:00 UTC",
        ),
        (
            "<t:99999999999:F> <t:999999999999> <t:-1>",
            "5138-11-16 09:46 UTC <t:999999999999> <t:-1>",
        ),
    ],
)
def test_mentions_are_shown_by_name_without_the_leading_bot_mention(content: str, text: str):
    names = {"@99": "Bellhop", "@6": "Bob", "@&7": "team", "#8": "general"}
    assert readable(replace(SAID, content=content, names=names)) == text


@given(st.text(max_size=400))
def test_a_thread_always_has_a_name_that_discord_takes(text: str):
    assert 1 <= len(title_of(text)) <= 100
    assert "\n" not in title_of(text)


# --- names ---


@given(st.text(max_size=300), st.text(max_size=300))
def test_a_nonce_fits_is_stable_and_tells_keys_apart(one: str, other: str):
    assert len(nonce(one)) <= NONCE_CHARS
    assert nonce(one) == nonce(one)
    assert (nonce(one) == nonce(other)) == (one == other)
    assert draft_nonce(one, 0) != draft_nonce(one, 1)


@given(IDS, IDS, IDS)
def test_refs_come_back_as_they_were_written(one: str, two: str, three: str):
    assert Root.parse(str(Root(one, two))) == Root(one, two)
    assert FileRef.parse(str(FileRef(one, two, three))) == FileRef(one, two, three)
    for own in (True, False):
        assert ReplyToken.parse(str(ReplyToken(f"a|{one}", own))) == ReplyToken(f"a|{one}", own)


def test_the_turn_of_a_key():
    assert turn_of("t4k/send:answer") == "t4k"
    assert turn_of("t4k/tool:2.0/send:1") == "t4k"


# --- choices ---

WORDS = st.text(max_size=200)
CHOICES = st.lists(
    st.builds(
        Choice, WORDS, st.text(max_size=20), st.sampled_from(["answer", "approve", "a|b"]), WORDS
    ),
    max_size=60,
)
ONE_KIND = st.lists(
    st.builds(Choice, WORDS, st.just("t1"), st.just("answer"), WORDS), min_size=1, max_size=60
)


def clickable(rows: Sequence[JsonObject]) -> list[Action | None]:
    """What each thing that can be clicked means."""
    found: list[Action | None] = []
    for row in rows:
        for item in row["components"]:
            options: list[JsonObject] = item.get("options") or []
            if item["type"] == 2:
                found.append(read_click(item["custom_id"]))
            found.extend(read_click(item["custom_id"], [option["value"]]) for option in options)
    return found


@given(CHOICES)
def test_choices_of_any_kind_keep_discords_limits(choices: list[Choice]):
    check_message({"content": "x", "components": choice_rows(choices)}, 0, new=True)


@given(ONE_KIND)
def test_a_click_says_what_was_chosen(choices: list[Choice]):
    meant = clickable(choice_rows(choices))
    assert len(meant) == len(choices)
    for number, (action, choice) in enumerate(zip(meant, choices, strict=True), start=1):
        assert action is not None
        assert (action.ref, action.verb) == (choice.ref, choice.verb)
        cut = f"{number}. {choice.value}"
        assert action.value == choice.value or cut.startswith(action.value.removesuffix("…"))
        if action.value != choice.value:
            assert full_options(choices)


@given(st.text(max_size=120))
def test_reading_a_custom_id_of_anybody_never_fails(custom_id: str):
    read_click(custom_id, ["whatever"])


def test_a_draft_is_known_by_its_stop_button():
    assert draft_turn([stop_row("t1")]) == "t1"
    assert draft_turn(choice_rows([Choice("Yes", "t1", "answer", "yes")])) is None
    assert read_click(stop_row("t|1")["components"][0]["custom_id"]) == Action("t|1", "stop")


# --- posts ---


async def nothing(_blob: str) -> bytes | None:
    return None


@given(st.text(max_size=15_000), ONE_KIND | st.just(list[Choice]()))
async def test_every_post_keeps_discords_limits(text: str, choices: list[Choice]):
    target = ReplyTarget(Conversation("discord", "1", "20", Place.THREAD))
    posts = await posts_of(OutgoingMessage(target, text, tuple(choices)), nothing, "30")
    assert posts
    for number, post in enumerate(posts):
        check_message(post.body(), len(post.files), new=True)
        assert bool(post.components) == (bool(choices) and number == len(posts) - 1)
        assert post.reply_to == ("30" if number == 0 else None)


# --- commands ---


def test_the_built_in_commands_are_ones_that_discord_takes():
    commands = for_all(BUILT_IN)
    check_commands(commands)
    added: list[JsonObject] = [
        {**command, "id": "1", "version": "2", "options": command.get("options") or None}
        for command in reversed(commands)
    ]
    assert hashes(added) == hashes(commands)
    assert hashes(commands[1:]) != hashes(commands)
    assert hashes([{**commands[0], "description": "other"}, *commands[1:]]) != hashes(commands)


@given(
    st.text(alphabet="ab `\n", max_size=2000), st.text(alphabet="xyz ", min_size=1, max_size=150)
)
def test_a_line_below_a_text_always_fits(text: str, line: str):
    shown = with_line(text, line)
    assert len(shown) <= MOST_CHARS
    assert shown.endswith(f"-# {line}")


# --- the client ---


class LoadedClient(ModuleType):
    """Stands for the module of the client; knows which thread loaded it."""

    loaded_by: threading.Thread | None = None

    def __getattr__(self, name: str) -> Callable[..., Awaitable[None]]:
        if name != "serve":
            raise AttributeError(name)
        self.loaded_by = threading.current_thread()
        return self.ended

    async def ended(self, *_given: object) -> None:
        """A client that ends at once."""


async def test_the_library_is_loaded_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch):
    """Turns that were interrupted go on meanwhile."""

    async def accept(_message: object) -> NoReturn:
        raise AssertionError("nobody wrote")

    client = LoadedClient("bot.plugins.discord_chat.client")
    monkeypatch.setitem(sys.modules, client.__name__, client)
    await DiscordChat(DiscordSettings(), "token", ChatServices(SystemClock())).run(accept)
    assert client.loaded_by not in {None, threading.current_thread()}
