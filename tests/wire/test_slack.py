"""The Slack adapter through slack-bolt as it is, over loopback: what comes in, in both modes."""

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.domain.chat import Acceptance
from bot.domain.json_types import JsonObject
from bot.domain.messages import (
    Addressed,
    Choice,
    Command,
    Conversation,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    Place,
    PostedCard,
    ReplyTarget,
)
from bot.errors import DeliveryError, SettingsError, StorageError
from bot.loopback.slack import (
    BOT_USER,
    TEAM,
    Channel,
    ChannelKind,
    Delay,
    Person,
    Refused,
    SlackPlatform,
    Status,
)
from bot.plugin.chat import ChatServices
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.examine import examine
from bot.plugins.slack_chat.manifest import manifest
from bot.plugins.slack_chat.settings import SlackSettings, SlackTokens
from bot.testing.fake_chat import fetched
from bot.testing.refusals import final
from bot.testing.slack_house import TOKENS, HurriedClock, SlackHouse, carried, slack_house
from bot.testing.waiting import until

# --- each event once ---


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_three_deliveries_of_everything_are_one_accept_per_key(
    mode: str, slack: SlackPlatform, ann: Person, office: Channel
):
    slack.faults.copies = 3
    slack.faults.reorder = True
    async with slack_house(slack, mode) as house_:
        hello = ann.mention("hello", office)
        ann.say("good morning")
        ann.slash("help", office)
        await slack.settled()
        assert sorted(house_.calls) == sorted({*house_.calls})
        assert f"slack:{TEAM}:{office.id}:{hello.ts}" in house_.calls
        assert len(house_.calls) == 3


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_unrecorded_events_are_not_acknowledged_and_come_again(
    mode: str, slack: SlackPlatform, ann: Person, caplog: pytest.LogCaptureFixture
):
    slack.delivery.ack_s = 0.2
    async with slack_house(slack, mode) as house_:
        house_.trouble.append(StorageError("disk full"))
        ann.say("good morning")
        await until(lambda: not house_.trouble)
        slack.delivery.ack_s = 60  # from the second time on it is acknowledged, however late
        assert (await house_.next(1)).text == "good morning"
        assert slack.delivery.history[0].attempts == 2
        slack.faults.lose_acks = 2
        ann.say("and again")
        await slack.settled()
        assert len(house_.calls) == 3
    assert "disk full" in caplog.text


async def test_messages_of_one_channel_keep_their_order(house: SlackHouse, slack: SlackPlatform):
    go = asyncio.Event()
    slack.fail("users.info", Delay(go))
    house.ann.say("first", house.office)
    house.bob.say("second", house.office)
    await slack.until(lambda: slack.delivery.history)
    go.set()
    await slack.settled()
    assert [message.text for message in house.heard] == ["first", "second"]


@pytest.mark.parametrize("how", ["refresh", "abort"])
async def test_the_adapter_hears_on_after_its_socket_went_away(
    house: SlackHouse, how: str, slack: SlackPlatform
):
    if how == "refresh":
        await slack.delivery.disconnect()
    else:
        slack.delivery.abort()
    await slack.until(lambda: slack.delivery.connections == 2)
    house.ann.say("still there?")
    assert (await house.next(1)).text == "still there?"


async def test_messages_of_a_gap_are_heard_after_it(house: SlackHouse, slack: SlackPlatform):
    slack.delivery.ack_s = 0.3
    root = house.ann.mention("hello", house.office)
    house.ann.say("good morning")
    await house.next(2)
    await house.answer(house.heard[0].reply_to, "Hello, Ann.")
    slack.faults.lose_events = True
    house.ann.reply(root, "are you there?")
    house.ann.mention("anybody?", house.office)
    house.ann.upload("plan.txt", "text/plain", b"x", "hello?")
    slack.faults.lose_events = False
    slack.delivery.abort()
    await slack.until(lambda: slack.delivery.connections == 2)
    await slack.until(lambda: len(house.heard) >= 4)
    house.ann.say("finally")
    last = await house.next(6)
    late = {m.text: m.addressed for m in house.heard[2:5] if not m.private}
    assert list(late.items()) == [
        ("are you there?", Addressed.FOLLOWED),
        ("anybody?", Addressed.MENTION),
    ]
    direct = [m for m in house.heard if m.private]
    assert [m.text for m in direct] == ["good morning", "hello?", "finally"]
    assert (direct[1].attachments[0].name, last.text) == ("plan.txt", "finally")


async def test_people_and_bots_that_are_not_answered(
    slack: SlackPlatform, ann: Person, bob: Person
):
    robot = slack.person("robot", is_bot=True)
    office, quiet, open_ = (
        slack.channel(name, ann, bob, robot) for name in ("office", "quiet", "open")
    )
    channels = {quiet.id: {"answer": "off"}, open_.id: {"answer": "all"}}
    slack.fail("users.info", *([Status(500)] * 4))
    async with slack_house(slack, channels=channels) as house_:
        ann.mention("hello", quiet)
        robot.mention("hello", office)
        assert (await house_.next(1)).sender.is_bot
        ann.say("anybody?", open_)
        said = await house_.next(2)
        assert (said.addressed, said.conversation.place) == (Addressed.FOLLOWED, Place.THREAD)
        ann.say(f"<@{bob.id}> are you there?", open_)
        third = await house_.next(3)
        assert (third.addressed, third.text) == (Addressed.NONE, "@bob are you there?")
        assert house_.heard[0].sender.name == robot.id  # the name could not be read in time
        root = await house_.chat.send(
            OutgoingMessage(ReplyTarget(_channel_place(office)), "Lunch is ready."), "k1"
        )
        announced = slack.world.message(office.id, root.message_ids[0])
        assert announced is not None
        ann.reply(announced, "what is it?")
        assert (await house_.next(4)).addressed is Addressed.REPLY


async def test_what_another_app_posted_is_read_in_its_blocks_and_attachments(
    slack: SlackPlatform, ann: Person
):
    robot = slack.person("robot", is_bot=True)
    alerts = slack.channel("alerts", ann, robot)
    header: JsonObject = {
        "type": "header",
        "text": {"type": "plain_text", "text": "Disk of db-2 > 94 %"},
    }
    since: JsonObject = {"title": "db-2", "fields": [{"title": "Since", "value": "09:12"}]}
    preview: JsonObject = {"from_url": "https://x.example.com", "text": "Somebody else's words"}
    words = "Disk of db-2 > 94 %\ndb-2\nSince: 09:12"
    async with slack_house(slack) as house_:
        posted = robot.say("", alerts, blocks=[header], attachments=[since, preview])
        assert (await house_.next(1)).text == words
        ann.mention("what is this?", alerts, posted.ts)
        assert [one.text for one in (await house_.next(2)).quoted] == [words]
        ann.share(posted, "and this?")
        assert [one.text for one in (await house_.next(3)).quoted] == ["Disk of db-2 > 94 %"]
        ann.say("look at https://x.example.com", alerts, attachments=[preview])
        assert (await house_.next(4)).text == "look at https://x.example.com"


async def test_a_file_in_a_channel_of_several_companies_has_its_name_and_type(
    house: SlackHouse, slack: SlackPlatform
):
    house.office.shared = True
    house.ann.upload("plan.txt", "text/plain", b"ship it", f"<@{BOT_USER}> read", house.office)
    (file,) = (await house.next(1)).attachments
    assert (file.name, file.mime, file.size) == ("plan.txt", "text/plain", 7)
    assert await fetched(house.chat, file) == b"ship it"
    slack.fail("files.info", *([Status(500)] * 4))
    unknown = house.ann.upload("more.txt", "text/plain", b"x", f"<@{BOT_USER}> and", house.office)
    (file,) = (await house.next(2)).attachments
    assert file.name == file.ref == unknown.files[0].id


async def test_the_files_of_a_message_shared_with_several_companies_are_read_if_all_see_them(
    house: SlackHouse, slack: SlackPlatform
):
    house.office.shared = True
    closed = slack.channel("closed", house.ann, kind=ChannelKind.PRIVATE)
    for count, (where, read) in enumerate(((house.office, ["plan.txt"]), (closed, [])), 1):
        said = house.ann.upload("plan.txt", "text/plain", b"ship it", "look", where)
        house.ann.share(said, f"<@{BOT_USER}> what is it?", house.office)
        (quoted,) = (await house.next(2 * count)).quoted
        assert quoted.files == ("plan.txt",)
        assert [one.name for one in quoted.attachments] == read


def _channel_place(channel: Channel) -> Conversation:
    return Conversation("slack", TEAM, channel.id, Place.CHANNEL)


# --- clicks, commands, files ---


async def test_a_name_of_markup_stays_a_name_in_the_answer_to_others(
    slack: SlackPlatform, bob: Person
):
    loud = slack.person("<!channel>")
    office = slack.channel("hall", loud, bob)
    async with slack_house(slack) as house_:
        loud.mention("hello", office)
        message = await house_.next(1)
        await house_.answer(message.reply_to, "Which?", choices=(Choice("A", "q1", "answer", "a"),))
        bob.click(await house_.showing(lambda m: "actions" in str(m.blocks)), "A")
        (told,) = await slack.until(lambda: bob.sees(office)[1:])
    assert told.text == "This question is for &lt;!channel&gt;."


async def test_a_question_is_answered_by_whom_it_asks(house: SlackHouse, slack: SlackPlatform):
    message = await house.asked()
    options = tuple(Choice(f"Option {number}", "q1", "answer", f"o{number}") for number in range(8))
    await house.answer(message.reply_to, "Which?", choices=options)
    card = await house.showing(lambda m: "static_select" in str(m.blocks))
    house.bob.click(card, "Option 3")
    (told,) = await slack.until(lambda: house.bob.sees(house.office)[1:])
    assert told.text == "This question is for ann."
    house.ann.click(card, "Option 7")
    action = (await house.next(2)).action
    assert action is not None
    assert action.value == "o7"
    assert len(house.heard) == 2
    approve = tuple(Choice(verb.title(), "A1", verb) for verb in ("approve", "reject"))
    await house.answer(message.reply_to, "May it?", "k2", choices=approve)
    card = await house.showing(lambda m: "Approve" in str(m.blocks))
    house.bob.click(card, "Approve")
    assert (await house.next(3)).sender.name == "bob"
    await house.slack.settled()
    assert "actions" in str(card.blocks)


async def posted(house_: SlackHouse, target: ReplyTarget) -> PostedCard:
    """A card with one button."""
    asks = OutgoingMessage(target, "May it?", (Choice("Approve", "A1", "approve"),))
    return PostedCard("k1", asks, await house_.chat.send(asks, "k1"))


async def test_a_card_that_is_over_keeps_its_text_and_its_mark(house: SlackHouse):
    message = await house.asked()
    card = await posted(house, message.reply_to)
    shown = await house.showing(lambda m: "Approve" in str(m.blocks))
    for _ in range(2):
        await house.chat.close_card(card, "Rejected by <Olga>")
        assert [block["type"] for block in shown.blocks] == ["markdown", "context"]
        assert "Rejected by &lt;Olga&gt;" in str(shown.blocks)
    assert await house.found(message) == card.receipt
    shown.deleted = True
    with pytest.raises(DeliveryError, check=final):
        await house.chat.close_card(card, "Rejected by Olga")


async def test_a_card_for_one_person_is_edited_by_the_click_on_it(
    house: SlackHouse, slack: SlackPlatform
):
    house.ann.slash("status", house.office)
    card = await posted(house, (await house.next(1)).reply_to)
    shown = await slack.until(
        lambda: next((m for m in house.ann.sees(house.office) if m.blocks), None)
    )
    with pytest.raises(DeliveryError, check=final):
        await house.chat.close_card(card, "Approved by ann")
    house.ann.click(shown, "Approve")
    await house.next(2)
    await house.chat.close_card(card, "Approved by ann")
    assert [block["type"] for block in shown.blocks] == ["markdown", "context"]


async def test_a_command_is_answered_for_one_person_wherever_it_was_given(
    house: SlackHouse, slack: SlackPlatform
):
    elsewhere = slack.channel("elsewhere", house.ann, app=False)
    house.ann.slash("status", elsewhere)
    command = await house.next(1)
    await house.answer(command.reply_to, "Fine.", "k1")
    assert "Fine." in str(house.ann.sees(elsewhere)[0].blocks)
    house.ann.slash("", house.office)
    command = await house.next(2)
    assert command.command is not None
    assert command.command.name == "help"
    slack.fail("response_url", Status(404), Status(404))
    await house.answer(command.reply_to, "Help is here.", "k2")
    assert [(m.text, m.only_for) for m in house.ann.sees(house.office)] == [
        ("Help is here.", house.ann.id)
    ]
    slack.fail("chat.postEphemeral", Refused("not_in_channel"))
    await house.answer(command.reply_to, "Help is there.", "k3")
    assert [m.text for m in house.ann.sees()] == ["Help is there."]


async def test_files_that_can_not_be_read_say_why(house: SlackHouse, slack: SlackPlatform):
    house.ann.upload("plan.txt", "text/plain", b"Monday: sun")
    attachment = (await house.next(1)).attachments[0]
    stored = slack.world.files[attachment.ref]
    slack.fail("files.download", Status(500))
    with pytest.raises(DeliveryError, match="status 500"):
        await fetched(house.chat, attachment)
    for mode, reason in (("external", "not kept on Slack"), ("tombstone", "it was deleted")):
        stored.mode = mode
        with pytest.raises(DeliveryError, match=reason):
            await fetched(house.chat, attachment)


# --- starting ---


@pytest.mark.parametrize(
    ("method", "error", "says"),
    [
        ("auth.test", "invalid_auth", "check SLACK_BOT_TOKEN"),
        ("apps.connections.open", "not_allowed_token_type", "check SLACK_APP_TOKEN"),
    ],
)
async def test_a_token_that_is_refused_is_named(
    method: str, error: str, says: str, slack: SlackPlatform
):
    slack.fail(method, Refused(error))
    settings = SlackSettings(api_base=slack.api_base)

    async def nobody(_: Any) -> Any:
        raise AssertionError("nothing may come in")

    chat = SlackChat(settings, TOKENS, ChatServices(HurriedClock()))
    with pytest.raises(SettingsError, match=says):
        await chat.run(nobody)
    await chat.close()


async def _examined(slack: SlackPlatform, mode: str = "socket") -> list[tuple[str, str]]:
    settings = SlackSettings.model_validate({"api_base": slack.api_base, "mode": mode})
    return [
        (finding.state, finding.text) for finding in await examine(settings, TOKENS, SystemClock())
    ]


async def test_doctor_sees_what_is_right_and_what_is_missing(slack: SlackPlatform):
    good = await _examined(slack)
    assert good == [
        ("ok", f"@bellhop in House ({TEAM})"),
        ("ok", "18 granted"),
        ("ok", "Socket Mode"),
    ]
    assert (await _examined(slack, "http"))[-1] == (
        "ok",
        "signed requests on the HTTP server's port, /slack/events",
    )
    slack.grant.scopes -= {"files:write", "users:read"}
    assert (await _examined(slack))[1][1].startswith(
        "missing: files:write (to hand over files), users:read (to know people's names"
    )
    slack.fail("auth.test", Refused("invalid_auth"))
    slack.fail("apps.connections.open", Refused("not_allowed_token_type"))
    assert [state for state, _ in await _examined(slack)] == ["error", "error"]
    wrong = await examine(
        SlackSettings(api_base=slack.api_base), SlackTokens("xoxp-1"), SystemClock()
    )
    assert [finding.state for finding in wrong] == ["error", "error"]


async def test_a_missing_subscription_is_said_once(ann: Person, caplog: pytest.LogCaptureFixture):
    poor = manifest(SlackSettings())
    poor["settings"]["event_subscriptions"]["bot_events"].remove("agent_session_stopped")
    async with SlackPlatform(poor) as slack, slack_house(slack) as house_:
        slack.person("ann").say("hello")
        live = house_.chat.live((await house_.next(1)).reply_to, "t1")
        await slack.until(lambda: slack.log.named("agents.sessions.setStatus"))
        await live.close()
    assert caplog.text.count("missing_agent_session_stopped_event_subscription") == 1


async def test_signed_requests_are_taken_on_routes_that_another_server_carries(
    slack: SlackPlatform,
):
    settings = SlackSettings.model_validate({"api_base": slack.api_base, "mode": "http"})
    chat = SlackChat(settings, TOKENS, ChatServices(HurriedClock()))
    heard: list[str] = []

    async def accept(message: IncomingMessage) -> Acceptance:
        heard.append(message.text)
        return Acceptance.TURN

    body = json.dumps(
        {"type": "event_callback", "team_id": TEAM, "event": {"type": "message", "channel": "D1"}}
    )
    async with carried(slack, chat.routes()):
        url = slack.delivery.request_url or ""
        early = await slack.delivery.post(url, body, slack.delivery.signed(body))
        running = asyncio.create_task(chat.run(accept))
        try:
            await slack.until(lambda: slack.log.named("auth.test"))
            await until(lambda: chat.connected)
            slack.person("ann").say("good morning")
            await slack.settled()
            forged = {**slack.delivery.signed(body), "X-Slack-Signature": "v0=" + "0" * 64}
            statuses = [
                early[0],
                (await slack.delivery.post(url, body, forged))[0],
            ]
            assert (heard, statuses) == (["good morning"], [503, 401])
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_the_age_of_the_last_frame_is_known_where_a_connection_is_held(
    slack: SlackPlatform, mode: Any
):
    async with slack_house(slack, mode) as house:
        age = house.chat.last_frame()
        assert (age is None) == (mode == "http")
        assert age is None or 0 <= age < 30


async def test_a_mention_in_somebody_elses_thread_brings_its_first_message_along(
    house: SlackHouse, slack: SlackPlatform
):
    plan = house.bob.say("my plan", house.office)
    house.ann.mention("what do you say to this?", house.office, plan.ts)
    await slack.settled()
    asked = house.heard[-1]
    assert asked.text == "what do you say to this?"
    [quoted] = asked.quoted
    assert (quoted.author.id, quoted.text) == (house.bob.id, "my plan")
    house.ann.mention("and now?", house.office, plan.ts)
    await slack.settled()
    assert house.heard[-1].quoted == ()


async def test_an_edit_that_mentions_the_app_addresses_it(house: SlackHouse, slack: SlackPlatform):
    said = house.ann.say("what is this?", house.office)
    await slack.settled()
    house.ann.edit(said, f"<@{BOT_USER}> what is this?")
    await slack.settled()
    first, edit = house.heard
    assert (first.addressed, edit.addressed) == (Addressed.NONE, Addressed.MENTION)
    assert edit.key.startswith(f"edit:{first.key}:")


async def test_an_edit_that_makes_a_command_is_one(house: SlackHouse, slack: SlackPlatform):
    said = house.ann.say("stop it", house.office)
    await slack.settled()
    house.ann.edit(said, f"<@{BOT_USER}> /stop it")
    await slack.settled()
    edit = house.heard[-1]
    assert (edit.kind, edit.command) == (MessageKind.EDIT, Command("stop", "it"))
