"""The loopback Slack with real clients: what works, what is refused, its faults."""

import asyncio
import json
from typing import Any

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from bot.loopback.slack import (
    APP_TOKEN,
    Channel,
    CutAfter,
    Delay,
    RateLimited,
    Reset,
    SlackPlatform,
    Status,
)
from bot.testing.slack_clients import button, client_of, error_of, listening, refusal, section

# --- events ---


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_people_reach_a_bolt_app_in_both_modes(
    slack: SlackPlatform, office: Channel, mode: str
):
    ann = slack.person("ann")
    async with listening(slack, mode) as seen:
        hello = ann.mention("hello", office)
        await slack.settled()
        # Over HTTP each event comes on a connection of its own, in any order.
        mention, message = sorted((body["event"] for body in seen), key=lambda event: event["type"])
        assert (mention["type"], message["type"]) == ("app_mention", "message")
        assert mention["ts"] == message["ts"] == hello.ts
        assert "channel_type" not in mention
        card = {"type": "actions", "elements": [button("Yes"), button("No", "choose2")]}
        async with client_of(slack) as web:
            thread = {"channel": office.id, "thread_ts": hello.ts}
            blocks = [section("Sure?"), card]
            asked = await web.chat_postMessage(**thread, text="Sure?", blocks=blocks)
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


async def test_an_unacknowledged_event_is_dropped_after_three_more_tries(slack: SlackPlatform):
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
            refused = await error_of(web.chat_postMessage(channel=office.id, text="x"))
            assert refused == "missing_scope"
            refused = await error_of(web.apps_connections_open(app_token=APP_TOKEN))
            assert refused == "socket_mode_not_enabled"
        await slack.settled()


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
    await web.usergroups_list()
    assert not call.done()
    go.set()
    assert (await call)["ok"]


async def test_rates_are_counted_per_method_and_per_channel(
    office: Channel, slack: SlackPlatform, web: Any
):
    slack.enforce_rates()
    web.retry_handlers.clear()
    await web.chat_postMessage(channel=office.id, text="1")
    refused = await refusal(web.chat_postMessage(channel=office.id, text="2"))
    assert refused.headers["Retry-After"] == "1"
    for _ in range(20):
        await web.usergroups_list()
    assert (await refusal(web.usergroups_list())).headers["Retry-After"] == "60"


async def test_a_response_url_works_five_times(slack: SlackPlatform, office: Channel):
    ann = slack.person("ann")
    async with listening(slack, "socket") as seen, aiohttp.ClientSession() as session:
        ann.slash("help", office)
        await slack.settled()
        for number in range(6):
            text = {"text": str(number)}
            async with session.post(seen[0]["response_url"], json=text) as response:
                assert response.status == (200 if number < 5 else 404)
    assert [message.text for message in ann.sees(office)] == ["0", "1", "2", "3", "4"]
