"""Parts of the Slack adapter without a connection: settings, manifest, markup, buttons."""

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.domain.json_types import JsonObject
from bot.domain.languages import Language
from bot.domain.messages import Choice, Place, ReplyTarget
from bot.loopback.slack.limits import blocks_error
from bot.plugins.slack_chat.blocks import choice_blocks, line_block, read_click
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.directory import SlackDirectory, SlackProfiles
from bot.plugins.slack_chat.inbound import Reader
from bot.plugins.slack_chat.manifest import EVENTS, SCOPES, manifest
from bot.plugins.slack_chat.markup import (
    escape,
    mentioned,
    readable,
    tame,
    typed_words,
    unescape,
    with_commands,
    without_leading_mention,
)
from bot.plugins.slack_chat.places import Identity, conversation_at, moment, spot_of
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens
from bot.plugins.slack_chat.trouble import SlackRefused, SlackUnsure
from bot.testing.fake_clock import FakeClock, settle

# --- settings and manifest ---


def test_settings_are_safe_by_default():
    settings = SlackSettings()
    assert not settings.enabled
    assert settings.mode == "socket"
    assert settings.answer_in("C1") == "mention"
    assert SlackSettings(api_base="http://127.0.0.1:1/api").api_base == "http://127.0.0.1:1/api/"


@pytest.mark.parametrize(
    "wrong", [{"api_base": "http://slack.example/api/"}, {"mode": "rtm"}, {"tokens": "x"}]
)
def test_settings_that_can_not_work_are_refused(wrong: dict[str, Any]):
    with pytest.raises(ValidationError):
        SlackSettings.model_validate(wrong)


@pytest.mark.parametrize(
    ("tokens", "mode", "problems"),
    [
        (SlackTokens("xoxb-1", "xapp-1"), "socket", []),
        (SlackTokens("xoxb-1", "", "s"), "http", []),
        (SlackTokens("xoxb-1"), "socket", ["SLACK_APP_TOKEN is missing"]),
        (
            SlackTokens("xapp-1", "xoxb-1"),
            "socket",
            ["SLACK_BOT_TOKEN does not", "SLACK_APP_TOKEN does not"],
        ),
        (SlackTokens("xoxb-1"), "http", ["SLACK_SIGNING_SECRET is missing"]),
    ],
)
def test_tokens_of_the_wrong_kind_are_named(tokens: SlackTokens, mode: str, problems: list[str]):
    found = tokens.problems(SlackSettings.model_validate({"mode": mode}))
    assert len(found) == len(problems)
    assert all(said.startswith(wanted) for said, wanted in zip(found, problems, strict=True))
    assert all(said.endswith(", and put it into .env") for said in found if "is missing" in said)
    assert "xoxb-1" not in repr(tokens)


def test_the_manifest_follows_the_mode():
    socket = manifest(SlackSettings())
    assert socket["settings"]["socket_mode_enabled"]
    assert "request_url" not in json.dumps(socket)
    http = manifest(SlackSettings(mode="http"), "https://bot.example.org/")
    address = "https://bot.example.org/slack/events"
    assert not http["settings"]["socket_mode_enabled"]
    assert http["settings"]["event_subscriptions"]["request_url"] == address
    assert http["features"]["slash_commands"][0]["url"] == address
    assert list(SCOPES) == sorted(SCOPES)
    assert list(EVENTS) == sorted(EVENTS)
    assert "agent_view" in socket["features"]
    assert "assistant_view" not in socket["features"]


# --- markup ---


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<@U1> and <@U2|bob>", "@ann and @bob"),
        ("see <#C1|general>, <#C2>", "see #general, #C2"),
        (
            "<https://a.example|the page>, <https://b.example>",
            "the page (https://a.example), https://b.example",
        ),
        ("to <mailto:bob@x.org|bob@x.org>, <tel:+49301|+49 30-1>", "to bob@x.org, +49 30-1"),
        ("<http://a.example|a.example> <https://a.example/b|a.example/b>", "a.example a.example/b"),
        ("<mailto:eve@x.org|bob@x.org>", "bob@x.org (mailto:eve@x.org)"),
        ("on <!date^1392734382^{date}|18 February 2014>", "on 18 February 2014"),
        ("<!here> <!subteam^S1|@team> <!subteam^S1>", "@here @team @subteam"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"),
        ("&amp;lt;", "&lt;"),
        ("a < b > c", "a < b > c"),
    ],
)
def test_slack_markup_becomes_plain_text(written: str, read: str):
    assert readable(written, {"U1": "ann"}.__getitem__) == read


def test_an_address_that_slack_made_a_link_of_is_typed_as_it_stands():
    assert typed_words("mail <mailto:bob@x.org|bob@x.org>") == "mail bob@x.org"
    assert typed_words("<mailto:eve@x.org|bob@x.org>") == "bob@x.org (mailto:eve@x.org)"


def test_a_leading_mention_of_the_bot_is_taken_off():
    assert without_leading_mention("  <@UB>, hello <@UB>", "UB") == "hello <@UB>"
    assert without_leading_mention("<@UB|bellhop>: /help", "UB") == "/help"
    assert without_leading_mention("<@U1> hello", "UB") == "<@U1> hello"
    assert mentioned("<@U1> <@U2|x> <!here>") == ["U1", "U2"]


@given(st.text())
def test_escaping_is_undone_by_unescaping_and_leaves_no_markup(text: str):
    assert unescape(escape(text)) == text
    assert not set(escape(text)) & {"<", ">"}


@given(st.text(alphabet="<@#!U1>a ", max_size=40), st.integers(0, 40))
def test_tamed_text_calls_nobody_and_grows_like_a_stream(text: str, cut: int):
    tamed = tame(text)
    assert not any(call in tamed for call in ("<@", "<#", "<!"))
    assert tamed.startswith(tame(text[:cut]))
    assert tamed.replace("\u2060", "") == text


# --- buttons ---

choices = st.builds(
    Choice,
    st.text(max_size=120),
    st.text(max_size=20),
    st.sampled_from(["answer", "approve"]),
    st.text(),
)


@given(st.lists(choices, max_size=120), st.sampled_from(["", "U1"]))
def test_choices_fit_slack_and_come_back_as_they_were(given_choices: list[Choice], asked: str):
    blocks = choice_blocks(given_choices, asked)
    if blocks:
        assert blocks_error(blocks) is None
    read: list[tuple[str, str, str, str]] = []
    for block in blocks:
        for element in block["elements"]:
            options = [{"selected_option": option} for option in element.get("options", [])]
            for chosen in options or [element]:
                click = read_click({**chosen, "action_id": element["action_id"]})
                assert click is not None
                read.append((click.action.ref, click.action.verb, click.action.value, click.asked))
    wanted = [(choice.ref, choice.verb, choice.value, asked) for choice in given_choices]
    fits = [one for one in wanted if len(json.dumps(list(one), ensure_ascii=False)) - 3 <= 2000]
    assert read == fits[:100]


def test_many_short_choices_make_a_menu_and_long_ones_stay_buttons():
    few = [Choice(str(n), "q", "answer", str(n)) for n in range(5)]
    many = [Choice(str(n), "q", "answer", str(n)) for n in range(6)]
    long = [Choice(str(n), "q", "answer", "x" * 200) for n in range(30)]
    assert [element["type"] for element in choice_blocks(few)[0]["elements"]] == ["button"] * 5
    menu = choice_blocks(many, language=Language.DE)[0]["elements"][0]
    assert menu["type"] == "static_select"
    assert menu["placeholder"]["text"] == "Auswählen oder selbst antworten"
    assert [len(block["elements"]) for block in choice_blocks(long)] == [25, 5]


@pytest.mark.parametrize("value", [None, "no json", "[1,2]", '"text"', "{}"])
def test_a_foreign_control_is_no_click_of_ours(value: object):
    assert read_click({"action_id": "bellhop:choice:0", "value": value}) is None
    assert read_click({"action_id": "other", "value": '["a","b","c","d"]'}) is None


def test_how_it_ended_is_small_print_that_makes_no_markup():
    block = line_block("Approved by ann <b>")
    assert (block["type"], block["elements"][0]["text"]) == ("context", "Approved by ann &lt;b&gt;")


# --- places and trouble ---


def test_conversations_are_dms_threads_and_channels():
    dm = conversation_at("T1", "D1", "1.1")
    thread = conversation_at("T1", "C1", "1.1")
    channel = conversation_at("T1", "C1", None)
    assert [(c.key, c.place) for c in (dm, thread, channel)] == [
        ("slack:T1:D1", Place.DM),
        ("slack:T1:C1:1.1", Place.THREAD),
        ("slack:T1:C1", Place.CHANNEL),
    ]
    assert spot_of(ReplyTarget(dm, "2.2", "1.1")).thread == "1.1"
    assert spot_of(ReplyTarget(thread, "2.2")).thread == "1.1"
    assert spot_of(ReplyTarget(channel)).thread is None
    assert moment("nonsense").year == 1970


def test_only_what_can_get_better_is_tried_again():
    post = "chat.postMessage"
    assert SlackUnsure(post, "gone").retryable
    assert SlackRefused(post, "ratelimited", 300).retryable
    assert SlackRefused(post, "token_revoked").retryable
    assert not SlackRefused(post, "not_in_channel").retryable


# --- reading ---


@pytest.fixture
def reader() -> Reader:
    """A reader that can't reach Slack: names stay ids."""
    clock = FakeClock()
    settings = SlackSettings(api_base="http://127.0.0.1:9/api/")
    connection = SlackConnection(SlackTokens("xoxb-1"), settings, clock)
    directory = SlackDirectory(connection, SlackProfiles(connection.call, clock), clock)

    async def follows(_: str) -> bool:
        return False

    return Reader(Identity("T1", "UB", "BB"), settings, directory, clock, follows)


OWN: JsonObject = {
    "type": "message",
    "channel": "C1",
    "ts": "2.0",
    "user": "UB",
    "bot_id": "BB",
    "text": "mine",
}
GONE: JsonObject = {
    "channel": "C1",
    "subtype": "message_deleted",
    "deleted_ts": "2.0",
    "event_ts": "4.0",
}


CHANGED: JsonObject = {"channel": "C1", "subtype": "message_changed"}
EDITED_OWN: JsonObject = {**OWN, "edited": {"ts": "3.0"}}
PREVIEWED: JsonObject = {"ts": "1.0", "user": "U1", "text": "a link"}


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(OWN, id="what the bot said"),
        pytest.param(
            {**OWN, "user": "U1", "bot_id": None, "subtype": "channel_join"}, id="somebody joins"
        ),
        pytest.param(
            {**OWN, **CHANGED, "message": EDITED_OWN, "previous_message": {}},
            id="the bot edits what it said",
        ),
        pytest.param({**CHANGED, "message": PREVIEWED}, id="a link gets its preview"),
        pytest.param({**GONE, "previous_message": OWN}, id="what the bot said is deleted"),
        pytest.param(GONE, id="nobody knows what was deleted"),
    ],
)
async def test_events_without_words_are_no_messages(event: JsonObject, reader: Reader):
    assert await reader.message(event) is None


async def test_a_socket_from_which_nothing_comes_is_given_up():
    clock = FakeClock()
    connection = SlackConnection(SlackTokens("xoxb-1"), SlackSettings(), clock, ping_s=10)
    frames = [0]
    watch = asyncio.ensure_future(connection._watch(lambda: frames[0]))  # pyright: ignore[reportPrivateUsage]
    await settle()
    for _ in range(20):
        frames[0] += 1
        await clock.advance(10)
    assert not watch.done()
    await clock.advance(60)
    with pytest.raises(SlackUnsure, match="nothing came for 60 s"):
        await watch


def test_hints_name_what_works_where_they_are_read() -> None:
    names = frozenset({"approve", "help", "new"})
    hint = (
        "Use `/approve ABC` or /help. See /documents/new/x, https://x.example/help "
        "and:\n```\n/new\n```\nThen /new."
    )
    thread = with_commands(hint, names, in_thread=True)
    assert "`!approve ABC` or !help. See /documents/new/x, https://x.example/help" in thread
    assert thread.endswith("```\n/new\n```\nThen !new.")
    assert "`/bellhop approve ABC` or /bellhop help." in with_commands(hint, names, in_thread=False)
    assert with_commands(hint, frozenset(), in_thread=True) == hint


# --- the SDK ---

IMPORTED_BY = """
import asyncio, sys, threading
from bot.plugin.chat import ChatServices
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens
from bot.clock import SystemClock
from bot.errors import BotError

threads = set()

class Hurried(SystemClock):
    def monotonic(self):
        return super().monotonic() * 1000

    async def sleep(self, seconds):
        await super().sleep(seconds / 1000)

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"slack_bolt", "slack_sdk", "aiohttp"}:
            threads.add(threading.current_thread())

async def run():
    settings = SlackSettings(enabled=True, api_base="http://127.0.0.1:1/api/")
    chat = SlackChat(settings, SlackTokens("xoxb-1", "xapp-1"), ChatServices(Hurried()))
    sys.meta_path.insert(0, Watch())
    try:
        await chat.run(None)
    except BotError as error:
        print(type(error).__name__)

asyncio.run(run())
print(threads != set(), threading.main_thread() in threads)
"""


def test_the_sdk_is_loaded_beside_the_event_loop():
    """Turns that were interrupted go on meanwhile."""
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED_BY], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["SlackUnsure", "True", "False"], done.stderr
