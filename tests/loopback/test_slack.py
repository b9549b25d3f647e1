"""The loopback Slack with real clients: what works, what is refused, its faults."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import aiohttp
import aiohttp.web
import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.loopback.slack import (
    APP_TOKEN,
    BOT_TOKEN,
    BOT_USER,
    SIGNING_SECRET,
    TEAM,
    Channel,
    ChannelKind,
    CutAfter,
    Delay,
    RateLimited,
    Reset,
    SlackPlatform,
    Status,
)
from bot.testing.fake_clock import FakeClock


@pytest.fixture
async def slack() -> AsyncIterator[SlackPlatform]:
    async with SlackPlatform() as platform:
        yield platform


@asynccontextmanager
async def client_of(slack: SlackPlatform, token: str = BOT_TOKEN) -> AsyncGenerator[Any]:
    async with aiohttp.ClientSession() as session:
        yield AsyncWebClient(token=token, base_url=slack.api_base, session=session)


@pytest.fixture
async def web(slack: SlackPlatform) -> AsyncIterator[Any]:
    async with client_of(slack) as client:
        yield client


@pytest.fixture
def office(slack: SlackPlatform) -> Channel:
    return slack.channel("office", slack.person("ann"), slack.person("bob"))


async def refusal(call: Any) -> Any:
    """The response of a call that Slack refuses."""
    with pytest.raises(SlackApiError) as caught:
        await call
    error: Any = caught.value
    return error.response


async def error_of(call: Any) -> str:
    return (await refusal(call))["error"]


@asynccontextmanager
async def listening(slack: SlackPlatform, mode: str) -> AsyncGenerator[list[dict[str, Any]]]:
    """A small bolt app, in Socket Mode or signed HTTP, that collects received bodies."""
    seen: list[dict[str, Any]] = []
    async with client_of(slack) as client:
        app: Any = AsyncApp(client=client, signing_secret=SIGNING_SECRET, name="test")

        async def note(body: dict[str, Any], ack: Any, **_: Any) -> None:
            seen.append(body)
            await ack()

        for event in ("message", "app_mention", "agent_session_stopped", "app_home_opened"):
            app.event(event)(note)
        app.event({"type": "message", "subtype": "message_changed"})(note)
        app.event({"type": "message", "subtype": "message_deleted"})(note)
        app.event({"type": "message", "subtype": "file_share"})(note)
        app.command("/bellhop")(note)
        app.action("choose")(note)
        if mode == "socket":
            handler = AsyncSocketModeHandler(app, APP_TOKEN, ping_interval=0.2)
            await handler.connect_async()
            await slack.delivery.wait_connected()
            yield seen
            await handler.close_async()
            return
        runner = aiohttp.web.AppRunner(app.server(port=0, path="/slack/events").web_app)
        await runner.setup()
        await aiohttp.web.TCPSite(runner, "127.0.0.1", 0).start()
        slack.delivery.request_url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
        yield seen
        await runner.cleanup()


# --- events ---


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_people_reach_a_bolt_app_in_both_modes(
    slack: SlackPlatform, office: Channel, mode: str
):
    ann = slack.person("ann")
    async with listening(slack, mode) as seen:
        hello = ann.mention("hello", office)
        await slack.settled()
        assert [body["event"]["type"] for body in seen] == ["message", "app_mention"]
        assert {body["event"]["ts"] for body in seen} == {hello.ts}
        assert "channel_type" not in seen[1]["event"]
        card = {"type": "actions", "elements": [_button("Yes"), _button("No", "choose2")]}
        async with client_of(slack) as web:
            asked = await web.chat_postMessage(
                channel=office.id,
                thread_ts=hello.ts,
                text="Sure?",
                blocks=[_section("Sure?"), card],
            )
        question = slack.world.message(office.id, asked["ts"])
        assert question is not None
        ann.click(question, "Yes")
        ann.slash("help me", office)
        ann.upload("list.txt", "text/plain", b"milk", where=office)
        ann.edit(hello, "<@U0000BELL> hello again")
        ann.delete(hello)
        ann.open_home()
        await slack.settled()
    kinds = {body.get("type") or body.get("command") or "" for body in seen}
    assert kinds == {"event_callback", "block_actions", "/bellhop"}
    assert all(
        delivered.acknowledged and delivered.attempts == 1 for delivered in slack.delivery.history
    )
    assert {body["event"].get("subtype") for body in seen if "event" in body} >= {
        "message_changed",
        "message_deleted",
    }


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_a_lost_acknowledgement_brings_the_event_again(slack: SlackPlatform, mode: str):
    async with listening(slack, mode) as seen:
        slack.faults.lose_acks = 2
        slack.person("ann").say("hello")
        await slack.settled()
    assert len(seen) == 3
    assert len({body["event_id"] for body in seen}) == 1
    assert slack.delivery.history[0].attempts == 3


async def test_an_event_that_is_never_acknowledged_is_given_up_after_three_more_tries(
    slack: SlackPlatform,
):
    slack.delivery.request_url = "http://127.0.0.1:9/nobody"
    slack.person("ann").say("hello")
    await slack.settled()
    assert slack.delivery.history[0].attempts == 4
    assert not slack.delivery.history[0].acknowledged


async def test_copies_and_order_are_under_control(slack: SlackPlatform):
    async with listening(slack, "socket") as seen:
        slack.faults.copies = 2
        slack.delivery.holding = True
        ann = slack.person("ann")
        ann.say("first")
        ann.say("second")
        slack.delivery.release(reverse=True)
        await slack.settled()
    assert sorted(body["event"]["text"] for body in seen) == ["first", "first", "second", "second"]
    assert seen[0]["event"]["text"] == "second"


@pytest.mark.parametrize("how", ["refresh", "abort"])
async def test_a_socket_that_goes_away_is_opened_anew(slack: SlackPlatform, how: str):
    async with listening(slack, "socket") as seen:
        if how == "refresh":
            await slack.delivery.disconnect()
        else:
            slack.delivery.abort()
        await slack.until(lambda: slack.delivery.connections == 2)
        slack.person("ann").say("still there?")
        await slack.settled()
    assert [body["event"]["text"] for body in seen] == ["still there?"]


async def test_a_forged_request_is_refused_by_the_app(slack: SlackPlatform):
    async with listening(slack, "http") as seen:
        url = slack.delivery.request_url
        assert url is not None
        body = json.dumps({"type": "event_callback", "event": {"type": "message"}})
        forged = {**slack.delivery.signed(body), "Content-Type": "application/json"}
        forged["X-Slack-Signature"] = "v0=" + "0" * 64
        assert (await slack.delivery.post(url, body, forged))[0] == 401
        old = {**slack.delivery.signed(body, at=1_000_000_000), "Content-Type": "application/json"}
        assert (await slack.delivery.post(url, body, old))[0] == 401
    assert seen == []


async def test_only_what_the_manifest_grants_is_given():
    manifest = {
        "oauth_config": {"scopes": {"bot": ["im:history"]}},
        "settings": {
            "event_subscriptions": {"bot_events": ["message.im", "app_mention"]},
            "socket_mode_enabled": False,
        },
    }
    async with SlackPlatform(manifest, strict=False) as slack:
        ann = slack.person("ann")
        office = slack.channel("office", ann)
        slack.delivery.request_url = "http://127.0.0.1:9/nobody"
        ann.say("hello")
        ann.mention("hello", office)
        assert slack.log.take_problems() == [
            "the event app_mention needs the scope app_mentions:read"
        ]
        assert slack.log.events_used == {"message.im"}
        async with client_of(slack) as web:
            assert (
                await error_of(web.chat_postMessage(channel=office.id, text="x")) == "missing_scope"
            )
            assert (
                await error_of(web.apps_connections_open(app_token=APP_TOKEN))
                == "socket_mode_not_enabled"
            )
        await slack.settled()


# --- rules ---


def _button(label: str, action: str = "choose", value: str = "v") -> dict[str, Any]:
    return {
        "type": "button",
        "text": {"type": "plain_text", "text": label},
        "action_id": action,
        "value": value,
    }


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"markdown_text": "x" * 12_001}, "msg_too_long"),
        ({"markdown_text": "x", "text": "x"}, "markdown_text_conflict"),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": "x", "blocks": [_section("x")] * 51}, "invalid_blocks"),
        ({"text": "x", "blocks": [_section("x" * 3001)]}, "invalid_blocks"),
        (
            {"text": "x", "blocks": [{"type": "markdown", "text": "y" * 7000}] * 2},
            "msg_blocks_too_long",
        ),
        (
            {"text": "x", "blocks": [{"type": "actions", "elements": [_button("y" * 76)]}]},
            "invalid_blocks",
        ),
        (
            {
                "text": "x",
                "blocks": [{"type": "actions", "elements": [_button("y", "a", "v" * 2001)]}],
            },
            "invalid_blocks",
        ),
        (
            {
                "text": "x",
                "blocks": [{"type": "actions", "elements": [_button("a"), _button("b")]}],
            },
            "invalid_blocks",
        ),
        ({"text": "x", "blocks": [{"type": "surprise"}]}, "invalid_blocks"),
        ({"text": "x", "thread_ts": "1.0"}, "thread_not_found"),
        ({"text": "x", "metadata": {"event_type": "x"}}, "invalid_metadata_schema"),
        ({"text": "x", "channel": "C404"}, "channel_not_found"),
        ({"text": "x", "surprise": 1}, "invalid_arguments"),
        ({"text": "x", "blocks": [_section("x")]}, None),
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


async def test_what_is_unknown_is_a_failure_that_a_test_sees(slack: SlackPlatform, web: Any):
    assert await error_of(web.api_call("chat.meMessage", json={})) == "unknown_method"
    with pytest.raises(AssertionError, match=r"chat\.meMessage: unknown_method"):
        await slack.__aexit__(None, None, None)
    slack.log.take_problems()


async def test_each_method_wants_its_own_kind_of_token(slack: SlackPlatform, web: Any):
    async with client_of(slack, APP_TOKEN) as app, client_of(slack, "xoxb-wrong") as wrong:
        assert await error_of(app.auth_test()) == "not_allowed_token_type"
        assert await error_of(wrong.auth_test()) == "invalid_auth"
        assert (
            await error_of(web.apps_connections_open(app_token=BOT_TOKEN))
            == "not_allowed_token_type"
        )
        assert (await web.apps_connections_open(app_token=APP_TOKEN))["url"].startswith(
            "ws://127.0.0.1"
        )
    assert (await web.auth_test())["user_id"] == BOT_USER
    slack.log.take_problems()


async def test_the_app_can_only_write_where_it_is_a_member(
    slack: SlackPlatform, office: Channel, web: Any
):
    secret = slack.channel("secret", slack.person("ann"), kind=ChannelKind.PRIVATE, app=False)
    assert await error_of(web.chat_postMessage(channel=secret.id, text="x")) == "not_in_channel"
    theirs = slack.person("ann").say("mine", office)
    assert (
        await error_of(web.chat_update(channel=office.id, ts=theirs.ts, text="x"))
        == "cant_update_message"
    )
    slack.log.take_problems()
    assert (await web.conversations_info(channel=office.id))["channel"]["is_member"]


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
    first = await web.conversations_replies(
        channel=office.id, ts=root.ts, limit=4, include_all_metadata=True
    )
    cursor = first["response_metadata"]["next_cursor"]
    rest = await web.conversations_replies(
        channel=office.id, ts=root.ts, limit=4, include_all_metadata=True, cursor=cursor
    )
    both = [*first["messages"], *rest["messages"]]
    assert [message["text"] for message in both] == ["start", "0", "1", "2", "3", "4"]
    assert [message["metadata"]["event_payload"]["n"] for message in both[1:]] == [0, 1, 2, 3, 4]
    assert [
        message["text"]
        for message in (await web.conversations_history(channel=office.id))["messages"]
    ] == ["start"]


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


async def test_people_groups_reactions_views_and_sessions(
    slack: SlackPlatform, office: Channel, web: Any
):
    ann = slack.person("ann")
    hello = ann.say("hello", office)
    slack.world.groups["S1"] = {ann.id}
    assert (await web.users_info(user=ann.id))["user"]["profile"]["display_name"] == "ann"
    assert len((await web.users_list())["members"]) == 3
    assert (await web.usergroups_list(include_users=True))["usergroups"][0]["users"] == [ann.id]
    assert (await web.conversations_open(users=ann.id))["channel"]["id"] == ann.dm.id
    await web.reactions_add(channel=office.id, timestamp=hello.ts, name="eyes")
    assert (
        await error_of(web.reactions_add(channel=office.id, timestamp=hello.ts, name="eyes"))
        == "already_reacted"
    )
    await web.reactions_remove(channel=office.id, timestamp=hello.ts, name="eyes")
    modal: dict[str, Any] = {
        "type": "modal",
        "title": {"type": "plain_text", "text": "T"},
        "blocks": [],
    }
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
            blocks=[_section("bye")],
            metadata={"event_type": "t", "event_payload": {"k": "1"}},
        )
        message = slack.said[-1]
        assert (message.text, list(message.tasks), message.metadata is not None) == (
            "one two",
            ["1"],
            True,
        )
        assert (
            await error_of(web.chat_appendStream(**at, markdown_text="x"))
            == "message_not_in_streaming_state"
        )
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


# --- faults ---


async def test_faults_look_as_on_the_wire(slack: SlackPlatform, office: Channel, web: Any):
    web.retry_handlers.clear()
    post = {"channel": office.id, "text": "x"}
    slack.fail("chat.postMessage", Status(503), RateLimited(7), Reset(), CutAfter())
    with pytest.raises(SlackApiError):
        await web.chat_postMessage(**post)
    limited = await refusal(web.chat_postMessage(**post))
    assert (limited.status_code, limited.headers["Retry-After"]) == (429, "7")
    for visible in (0, 1):
        with pytest.raises(aiohttp.ClientError):
            await web.chat_postMessage(**post)
        assert len(slack.said) == visible
    assert slack.log.counts["chat.postMessage"] == 4
    assert len(slack.log.gaps("chat.postMessage")) == 3


async def test_the_stock_client_posts_twice_after_a_cut(
    slack: SlackPlatform, office: Channel, web: Any
):
    """Why the adapter brings its own retry."""
    slack.fail("chat.postMessage", CutAfter())
    await web.chat_postMessage(channel=office.id, text="x")
    assert len(slack.said) == 2


async def test_a_delayed_call_answers_when_it_may(slack: SlackPlatform, web: Any):
    go = asyncio.Event()
    slack.fail("auth.test", Delay(go))
    call = asyncio.ensure_future(web.auth_test())
    await web.users_list()
    assert not call.done()
    go.set()
    assert (await call)["ok"]


async def test_rates_are_counted_per_method_and_per_channel(
    office: Channel, slack: SlackPlatform, web: Any
):
    slack.enforce_rates()
    web.retry_handlers.clear()
    await web.chat_postMessage(channel=office.id, text="1")
    assert (await refusal(web.chat_postMessage(channel=office.id, text="2"))).headers[
        "Retry-After"
    ] == "1"
    for _ in range(20):
        await web.users_list()
    assert (await refusal(web.users_list())).headers["Retry-After"] == "60"


async def test_a_response_url_works_five_times(slack: SlackPlatform, office: Channel):
    ann = slack.person("ann")
    async with listening(slack, "socket") as seen, aiohttp.ClientSession() as session:
        ann.slash("help", office)
        await slack.settled()
        for number in range(6):
            async with session.post(
                seen[0]["response_url"], json={"text": str(number)}
            ) as response:
                assert response.status == (200 if number < 5 else 404)
    assert [message.text for message in ann.sees(office)] == ["0", "1", "2", "3", "4"]
