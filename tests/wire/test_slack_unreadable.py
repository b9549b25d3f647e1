"""Unreadable objects from loopback Slack: each is skipped, and all else is heard."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.unreadable import Unreadable
from bot.clock import SystemClock
from bot.domain.json_types import JsonObject
from bot.errors import DeliveryError
from bot.loopback.slack import Channel, Person, Refused, SlackPlatform
from bot.plugins.slack_chat.directory import SlackDirectory, SlackProfiles
from bot.plugins.slack_chat.examine import try_canary
from bot.plugins.slack_chat.inbound import Reader
from bot.plugins.slack_chat.places import Identity
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.fake_chat import fetched
from bot.testing.fake_clock import FakeClock
from bot.testing.slack_house import TOKENS, SlackHouse, slack_house

Change: TypeAlias = Callable[[JsonObject], JsonObject]


def having(**parts: Any) -> Change:
    return lambda event: {**event, **parts}


STRANGE: dict[str, Change] = {
    "no ts": lambda event: {key: value for key, value in event.items() if key != "ts"},
    "a ts that is no number": having(ts="today"),
    "text of another kind": having(text=["strange"]),
    "null everywhere": lambda event: {**dict.fromkeys(event), "type": "message", "text": "strange"},
    "a channel that is an object": having(channel={"id": 7}),
    "a user of another kind": having(user={"id": "U1"}, files=7, thread_ts=[]),
}


@pytest.mark.parametrize("change", STRANGE.values(), ids=[*STRANGE])
async def test_events_after_an_unreadable_one_are_heard(
    house: SlackHouse, change: Change, slack: SlackPlatform
):
    slack.alter = lambda what, data: (
        {**data, "event": change(data["event"])} if what == "events_api" else data
    )
    house.ann.say("strange")
    await slack.settled()
    slack.alter = lambda _what, data: data
    house.ann.say("after")
    await slack.settled()
    await slack.until(lambda: "after" in [message.text for message in house.heard])
    assert not house.running.done()


@pytest.mark.parametrize("change", STRANGE.values(), ids=[*STRANGE])
async def test_missed_messages_beside_an_unreadable_one_are_heard(
    house: SlackHouse, change: Change, slack: SlackPlatform
):
    def altered(_what: str, data: JsonObject) -> JsonObject:
        if "messages" not in data:
            return data
        strange = [change(one) if one["text"] == "strange" else one for one in data["messages"]]
        return {**data, "messages": [None, *strange]}

    house.ann.mention("before", house.office)
    await house.next(1)
    slack.faults.lose_events = True
    house.ann.mention("strange", house.office)
    house.ann.mention("missed", house.office)
    slack.faults.lose_events = False
    slack.alter = altered
    slack.delivery.abort()
    await slack.until(lambda: "missed" in [message.text for message in house.heard])
    assert house.chat.unreadable.count > 0


async def test_unknown_envelopes_and_broken_frames_do_not_end_a_socket(
    house: SlackHouse, slack: SlackPlatform
):
    for socket in list(slack.delivery.sockets):
        for frame in (
            "not json",
            "[1]",
            '{"type": 7}',
            '{"type": "new", "envelope_id": "e9", "payload": null}',
            '{"type": "events_api", "envelope_id": "e8", "payload": [1]}',
        ):
            await socket.send_str(frame)
    house.ann.say("after")
    assert (await house.next(1)).text == "after"


async def test_lists_of_people_and_groups_with_strange_entries_are_read(
    slack: SlackPlatform, ann: Person
):
    slack.world.groups["S1"] = {ann.id}

    def altered(what: str, data: JsonObject) -> JsonObject:
        match what:
            case "usergroups.list":
                nobody = {"id": "S0", "users": None}
                return {**data, "usergroups": [None, nobody, *data["usergroups"]]}
            case "users.info":
                strange = {"id": ann.id, "profile": None, "name": "ann", "tz": None}
                return {**data, "user": strange}
            case "users.conversations":
                return {**data, "channels": [None, {"id": None}, *data["channels"]]}
            case _:
                return data

    slack.alter = altered
    async with slack_house(slack) as house:
        message = await house.written()
        assert (message.sender.name, message.sender.platform_roles) == ("ann", ("S1",))


@pytest.mark.parametrize("answer", [{}, {"ts": None}])
async def test_an_answer_without_a_timestamp_is_looked_for(
    house: SlackHouse, answer: JsonObject, slack: SlackPlatform
):
    message = await house.written()
    slack.alter = lambda what, data: {"ok": True, **answer} if what == "chat.postMessage" else data
    await house.answer(message.reply_to, "hi")
    assert house.texts == ["hi"]


# --- the rest of a crash ---


@pytest.mark.parametrize("found", [False, True], ids=["sent again", "found"])
async def test_a_stream_of_before_a_crash_does_not_stay_beside_the_answer(
    found: bool, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as before:
        message = await before.asked()
        await before.drafted(message)
        if found:
            await before.answer(message.reply_to, "whole")
    async with slack_house(slack, recovery=before.recovery) as after:  # the process is a new one
        if await after.found(message) is None:
            await after.answer(message.reply_to, "whole")
        assert after.texts == ["whole"]


async def test_an_error_that_nobody_knows_is_tried_again_and_a_final_one_is_not(
    house: SlackHouse, slack: SlackPlatform
):
    message = await house.written()
    for error, retryable in (("an_error_of_next_year", True), ("restricted_action", False)):
        slack.fail("chat.postMessage", Refused(error))
        with pytest.raises(DeliveryError) as refused:
            await house.answer(message.reply_to, "hi")
        assert refused.value.retryable is retryable


async def test_a_message_that_is_too_long_is_split(house: SlackHouse, slack: SlackPlatform):
    words = " ".join(f"word{number}" for number in range(300))
    message = await house.written()
    slack.fail("chat.postMessage", Refused("msg_too_long"), Refused("msg_too_long"))
    await house.answer(message.reply_to, words)
    assert len(slack.said) > 2
    assert " ".join(sent.text.strip() for sent in slack.said) == words


async def test_a_canary_is_posted_read_and_deleted(slack: SlackPlatform, office: Channel):
    settings = SlackSettings(api_base=slack.api_base)
    found = await try_canary(settings, TOKENS, SystemClock(), office.id)
    assert (found.state, slack.said) == ("ok", [])
    slack.fail("chat.postMessage", Refused("not_in_channel"))
    refused = await try_canary(settings, TOKENS, SystemClock(), office.id)
    assert (refused.state, "not_in_channel" in refused.text) == ("error", True)


# --- the door of mode http, and files ---


async def test_unsigned_and_unreadable_requests_are_refused_in_that_order(
    slack: SlackPlatform, ann: Person
):
    async with slack_house(slack, "http") as house:
        url, post = str(slack.delivery.request_url), slack.delivery.post
        for body in ("{{{", "payload=%7B", '{"type": "url_verification", "challenge": "c"}'):
            assert (await post(url, body, {"Content-Type": "application/json"}))[0] == 401
            forged = {**slack.delivery.signed(body), "X-Slack-Request-Timestamp": "soon"}
            assert (await post(url, body, forged))[0] == 401
        signed = {**slack.delivery.signed("{{{"), "Content-Type": "application/json"}
        assert (await post(url, "{{{", signed))[0] == 400
        ann.say("hello")
        assert (await house.next(1)).text == "hello"


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/f",
        "https://slack.com.evil.example/f",
        "https://evilslack.com/f",
        "http://files.slack.com/f",
        "https://files.slack.com@evil.example/f",
        "https://files.slack.com:8443/f",
        "file:///etc/passwd",
    ],
)
async def test_the_token_goes_to_no_host_but_slacks(
    house: SlackHouse, url: str, slack: SlackPlatform
):
    house.ann.upload("plan.txt", "text/plain", b"sun")
    message = await house.next(1)
    spoiled: dict[str, Any] = {"url_private_download": url}
    slack.alter = lambda what, data: (
        {**data, "file": {**data["file"], **spoiled}} if what == "files.info" else data
    )
    with pytest.raises(DeliveryError, match="not_on_slack"):
        await fetched(house.chat, message.attachments[0])


EVENT: JsonObject = {
    "type": "message",
    "channel": "C1",
    "user": "U1",
    "text": "hello <@U2>",
    "ts": "1700000000.000100",
    "thread_ts": "1700000000.000000",
    "files": [{"id": "F1", "name": "a", "mimetype": "text/plain", "size": 3}],
    "attachments": [
        {"is_share": True, "author_id": "U3", "text": "shared", "files": [{"id": "F2"}]}
    ],
    "message": {
        "ts": "1700000000.000100",
        "user": "U1",
        "text": "now",
        "edited": {"ts": "1700000001.000100"},
    },
    "previous_message": {"ts": "1700000000.000100", "user": "U1", "text": "before"},
    "event_ts": "1700000001.000100",
}
EMPTY: list[object] = [[], {}, [None]]
ODD = st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(EMPTY)


@given(
    changes=st.dictionaries(st.sampled_from([*EVENT]), ODD, max_size=4),
    subtype=st.sampled_from([None, "message_changed", "message_deleted", "file_share", "new", 7]),
)
async def test_no_message_event_ends_the_reading(changes: JsonObject, subtype: object):
    class Nobody:
        async def call(self, method: str, **_: object) -> JsonObject:
            return {"ok": True}

    async def followed(_: str) -> bool:
        return False

    clock, connection = FakeClock(), Nobody()
    profiles = SlackProfiles(connection.call, clock)
    directory = SlackDirectory(connection, profiles, clock)  # pyright: ignore[reportArgumentType] - answers nothing
    reader = Reader(Identity("T1", "UBOT", "B1"), SlackSettings(), directory, clock, followed)
    unreadable = Unreadable("slack")
    with unreadable.skipping("message"):
        await reader.message({**EVENT, "subtype": subtype, **changes})
    assert unreadable.count <= 1
    assert (await reader.message({**EVENT, "text": "after"})) is not None
