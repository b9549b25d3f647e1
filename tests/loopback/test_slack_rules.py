"""The loopback Slack is as strict as Slack: limits, tokens, membership, streams."""

from datetime import timedelta
from typing import Any

import aiohttp
import pytest

from bot.loopback.slack import (
    APP_TOKEN,
    BOT_TOKEN,
    BOT_USER,
    TEAM,
    Channel,
    ChannelKind,
    SlackPlatform,
)
from bot.testing.fake_clock import FakeClock
from bot.testing.slack_clients import button, client_of, error_of, listening, section

LONG_MARKDOWN = {"type": "markdown", "text": "y" * 7000}


def actions(*buttons: dict[str, Any]) -> dict[str, Any]:
    return {"type": "actions", "elements": list(buttons)}


# --- rules ---


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"markdown_text": "x", "text": "x"}, "markdown_text_conflict"),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": "x", "blocks": [section("x")] * 51}, "invalid_blocks"),
        ({"text": "x", "blocks": [section("x" * 3001)]}, "invalid_blocks"),
        ({"text": "x", "blocks": [LONG_MARKDOWN] * 2}, "msg_blocks_too_long"),
        ({"text": "x", "blocks": [actions(button("y" * 76))]}, "invalid_blocks"),
        ({"text": "x", "blocks": [actions(button("y", "a", "v" * 2001))]}, "invalid_blocks"),
        ({"text": "x", "blocks": [actions(button("a"), button("b"))]}, "invalid_blocks"),
        ({"text": "x", "blocks": [{"type": "surprise"}]}, "invalid_blocks"),
        ({"text": "x", "thread_ts": "1.0"}, "thread_not_found"),
        ({"text": "x", "metadata": {"event_type": "x"}}, "invalid_metadata_schema"),
        ({"text": "x", "channel": "C404"}, "channel_not_found"),
        ({"text": "x", "surprise": 1}, "invalid_arguments"),
        ({"text": "x", "blocks": [section("x")]}, None),
    ],
)
async def test_messages_are_held_to_the_limits(
    arguments: dict[str, Any], error: str | None, slack: SlackPlatform, office: Channel, web: Any
):
    call = web.chat_postMessage(**{"channel": office.id, **arguments})
    if error is None:
        await call
        return
    assert await error_of(call) == error
    assert len(slack.log.take_problems()) == 1


async def test_unknown_calls_fail_visibly_in_tests(slack: SlackPlatform, web: Any):
    assert await error_of(web.api_call("chat.meMessage", json={})) == "unknown_method"
    with pytest.raises(AssertionError, match=r"chat\.meMessage: unknown_method"):
        await slack.__aexit__(None, None, None)
    slack.log.take_problems()


async def test_each_method_wants_its_own_kind_of_token(slack: SlackPlatform, web: Any):
    async with client_of(slack, APP_TOKEN) as app, client_of(slack, "xoxb-wrong") as wrong:
        assert await error_of(app.auth_test()) == "not_allowed_token_type"
        assert await error_of(wrong.auth_test()) == "invalid_auth"
        refused = await error_of(web.apps_connections_open(app_token=BOT_TOKEN))
        assert refused == "not_allowed_token_type"
        opened = await web.apps_connections_open(app_token=APP_TOKEN)
        assert opened["url"].startswith("ws://127.0.0.1")
    assert (await web.auth_test())["user_id"] == BOT_USER
    slack.log.take_problems()


async def test_the_app_can_only_write_where_it_is_a_member(
    slack: SlackPlatform, office: Channel, web: Any
):
    secret = slack.channel("secret", slack.person("ann"), kind=ChannelKind.PRIVATE, app=False)
    assert await error_of(web.chat_postMessage(channel=secret.id, text="x")) == "not_in_channel"
    theirs = slack.person("ann").say("mine", office)
    refused = await error_of(web.chat_update(channel=office.id, ts=theirs.ts, text="x"))
    assert refused == "cant_update_message"
    slack.log.take_problems()


async def test_a_thread_is_read_page_by_page_with_metadata(
    slack: SlackPlatform, office: Channel, web: Any
):
    root = slack.person("ann").say("start", office)
    for number in range(5):
        await web.chat_postMessage(
            channel=office.id,
            thread_ts=root.ts,
            text=str(number),
            metadata={"event_type": "t", "event_payload": {"n": number}},
        )
    thread = {"channel": office.id, "ts": root.ts, "limit": 4, "include_all_metadata": True}
    first = await web.conversations_replies(**thread)
    cursor = first["response_metadata"]["next_cursor"]
    rest = await web.conversations_replies(**thread, cursor=cursor)
    both = [*first["messages"], *rest["messages"]]
    assert [message["text"] for message in both] == ["start", "0", "1", "2", "3", "4"]
    assert [message["metadata"]["event_payload"]["n"] for message in both[1:]] == [0, 1, 2, 3, 4]
    history = (await web.conversations_history(channel=office.id))["messages"]
    assert [message["text"] for message in history] == ["start"]


async def test_files_go_in_and_out(slack: SlackPlatform, office: Channel, web: Any):
    await web.files_upload_v2(
        channel=office.id, filename="a.csv", content="a,b\n1,2\n", title="table.csv"
    )
    shared = slack.said[-1].files[0]
    assert (shared.name, shared.data) == ("table.csv", b"a,b\n1,2\n")
    info = (await web.files_info(file=shared.id))["file"]
    async with aiohttp.ClientSession() as session:
        good = {"Authorization": f"Bearer {BOT_TOKEN}"}
        async with session.get(info["url_private_download"], headers=good) as response:
            assert await response.read() == b"a,b\n1,2\n"
        async with session.get(info["url_private_download"]) as response:
            assert (response.status, response.content_type) == (200, "text/html")


async def test_people_groups_views_and_sessions(slack: SlackPlatform, office: Channel, web: Any):
    ann = slack.person("ann")
    hello = ann.say("hello", office)
    slack.world.groups["S1"] = {ann.id}
    assert (await web.users_info(user=ann.id))["user"]["profile"]["display_name"] == "ann"
    assert (await web.usergroups_list(include_users=True))["usergroups"][0]["users"] == [ann.id]
    assert (await web.conversations_open(users=ann.id))["channel"]["id"] == ann.dm.id
    title = {"type": "plain_text", "text": "T"}
    modal: dict[str, Any] = {"type": "modal", "title": title, "blocks": []}
    trigger = slack.world.next_trigger(ann.id)
    assert (await web.views_open(trigger_id=trigger, view=modal))["view"]["id"]
    assert await error_of(web.views_open(trigger_id=trigger, view=modal)) == "exchanged_trigger_id"
    await web.agents_sessions_setStatus(
        channel_id=office.id, thread_ts=hello.ts, status="processing", title="T"
    )
    prompts = [{"title": "Todos", "message": "What is on my list?"}]
    await web.assistant_threads_setSuggestedPrompts(channel_id=ann.dm.id, prompts=prompts)
    assert slack.world.sessions[office.id, hello.ts].past == ["processing"]
    assert slack.world.prompts[ann.dm.id] == prompts
    await web.chat_postEphemeral(channel=office.id, user=ann.id, text="only you")
    assert [message.text for message in ann.sees(office)] == ["only you"]
    assert slack.person("bob").sees(office) == []


async def test_a_stream_grows_ends_with_blocks_and_dies_of_age():
    clock = FakeClock()
    async with SlackPlatform(clock=clock) as slack, client_of(slack) as web:
        ann = slack.person("ann")
        office = slack.channel("office", ann)
        hello = ann.say("hello", office)
        where = {"channel": office.id, "thread_ts": hello.ts}
        assert await error_of(web.chat_startStream(**where)) == "missing_recipient_user_id"
        slack.log.take_problems()
        to = {"recipient_team_id": TEAM, "recipient_user_id": ann.id}
        started = await web.chat_startStream(
            **where, **to, chunks=[{"type": "markdown_text", "text": "one "}]
        )
        at = {"channel": office.id, "ts": started["ts"]}
        task = {"type": "task_update", "id": "1", "title": "Looking", "status": "complete"}
        await web.chat_appendStream(**at, chunks=[{"type": "markdown_text", "text": "two"}, task])
        await web.chat_stopStream(
            **at,
            session_status="active",
            blocks=[section("bye")],
            metadata={"event_type": "t", "event_payload": {"k": "1"}},
        )
        message = slack.said[-1]
        assert (message.text, list(message.tasks)) == ("one two", ["1"])
        assert message.metadata is not None
        error = await error_of(web.chat_appendStream(**at, markdown_text="x"))
        assert error == "message_not_in_streaming_state"
        again = await web.chat_startStream(**where, **to)
        await clock.advance(timedelta(minutes=5).total_seconds())
        error = await error_of(web.chat_stopStream(channel=office.id, ts=again["ts"]))
        assert error == "message_not_in_streaming_state"
        await web.chat_update(channel=office.id, ts=again["ts"], markdown_text="saved")


async def test_the_native_stop_ends_streams_and_leaves_the_status(
    slack: SlackPlatform, office: Channel
):
    ann = slack.person("ann")
    async with listening(slack, "socket") as seen, client_of(slack) as web:
        hello = ann.say("hello", office)
        with pytest.raises(ValueError, match="no stop button"):
            ann.stop(office, hello.ts)
        await web.agents_sessions_setStatus(
            channel_id=office.id, thread_ts=hello.ts, status="processing"
        )
        to = {"recipient_team_id": TEAM, "recipient_user_id": ann.id}
        stream = await web.chat_startStream(channel=office.id, thread_ts=hello.ts, **to)
        ann.stop(office, hello.ts)
        await slack.settled()
        assert seen[-1]["event"]["streaming_message_ts"] == [stream["ts"]]
        assert slack.world.sessions[office.id, hello.ts].status == "processing"
