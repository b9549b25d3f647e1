"""Named, seeded troubles of both platforms with real clients: each message answered once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.loopback.discord import Fault
from bot.plugins.discord_chat.rates import Pace
from bot.testing.campaign.people import Crowd
from bot.testing.campaign.troubled import Troubled, troubled
from bot.testing.discord_town import QUICK

pytestmark = pytest.mark.slow

Trouble = Callable[[Troubled], Awaitable[None]]
SEED = 1
BEAT_MS = 200
PACE = replace(QUICK, heartbeat=1.0, typing_after=60.0)


@pytest.fixture(autouse=True)
def _quick_discord(monkeypatch: pytest.MonkeyPatch) -> None:
    def pace(**_chosen: int) -> Pace:
        return PACE

    monkeypatch.setattr("bot.plugins.discord_chat.adapter.Pace", pace)


async def around(made: Troubled, trouble: Callable[[], object]) -> None:
    """People write before, while and after it happens, twice."""
    for _ in range(2):
        made.say()
        await made.breathe()
        trouble()
        made.say()
        await made.breathe()
        made.say()
        await made.answered()


# --- Discord ---


async def op_7(made: Troubled) -> None:
    await around(made, made.crowd.discord.gateway.reconnect)


async def op_9_resumable(made: Troubled) -> None:
    await around(made, lambda: made.crowd.discord.gateway.invalidate(resumable=True))


async def op_9_not_resumable(made: Troubled) -> None:
    await around(made, lambda: made.crowd.discord.gateway.invalidate(resumable=False))


async def tcp_reset(made: Troubled) -> None:
    await around(made, made.crowd.discord.gateway.abort)


async def zombie(made: Troubled) -> None:
    await around(made, made.crowd.discord.gateway.zombie)


async def malformed_event(made: Troubled) -> None:
    await around(made, made.crowd.discord.gateway.malformed)


async def refused_resume(made: Troubled) -> None:
    gateway = made.crowd.discord.gateway

    def lose() -> None:
        gateway.refuse_resume = True
        gateway.abort()

    await around(made, lose)


async def login_503(made: Troubled) -> None:
    """Not only at the start: it comes back after a reset and is refused again and again."""
    gateway = made.crowd.discord.gateway

    def lose() -> None:
        gateway.refuse_connections = 2
        gateway.refuse_resume = True
        gateway.abort()

    await around(made, lose)


def fail_at_login(crowd: Crowd) -> None:
    crowd.discord.gateway.refuse_connections = 2
    crowd.discord.fault(Fault("GET", "/users/@me", status=503))
    crowd.discord.fault(Fault("GET", "/gateway(/bot)?", status=503))


async def events_three_times(made: Troubled) -> None:
    made.crowd.discord.gateway.copies = 3
    await around(made, lambda: None)


async def interactions_twice(made: Troubled) -> None:
    discord, session = made.crowd.discord, made.crowd.sessions[0]
    discord.gateway.copies = 2
    person = made.crowd.people[0][0]
    made.crowd.say(session, "ask")
    await made.until(
        lambda: any("the first" in message.labels for message in person.sees(person.dm))
    )
    asked = [message for message in person.sees(person.dm) if "the first" in message.labels]
    clicked = person.click(asked[0], "the first")
    discord.interactions.redeliver(clicked)
    await made.answered()
    discord.interactions.redeliver(clicked)
    used = person.slash(person.dm, "status")
    await made.until(lambda: used.response is not None and "role Partner" in used.response.content)
    discord.interactions.redeliver(used)
    made.say()
    await made.answered()
    assert len(asked) == 1
    assert used.follow_ups == []


DISCORD: dict[str, Trouble] = {
    "op 7": op_7,
    "op 9, resumable": op_9_resumable,
    "op 9, not resumable": op_9_not_resumable,
    "TCP reset": tcp_reset,
    "zombie": zombie,
    "503 at login": login_503,
    "malformed event": malformed_event,
    "refused resume": refused_resume,
    "events three times": events_three_times,
    "interactions twice": interactions_twice,
}


@pytest.mark.parametrize("name", DISCORD)
async def test_discord(name: str, tmp_path: Path):
    def before(crowd: Crowd) -> None:
        crowd.discord.gateway.heartbeat_ms = BEAT_MS
        if name == "503 at login":
            fail_at_login(crowd)

    async with troubled(tmp_path, (2, 2, 0, 0), SEED, before) as made:
        await DISCORD[name](made)
        assert made.problems() == []


# --- Slack ---


async def lost_acks(made: Troubled) -> None:
    await around(made, lambda: setattr(made.crowd.slack.faults, "lose_acks", 6))


async def triple_delivery(made: Troubled) -> None:
    made.crowd.slack.faults.copies = 3
    made.crowd.slack.faults.reorder = True
    await around(made, lambda: None)


async def socket_drop(made: Troubled) -> None:
    await around(made, made.crowd.slack.delivery.abort)


async def disconnect_refresh(made: Troubled) -> None:
    for _ in range(3):
        made.say()
        await made.breathe()
        await made.crowd.slack.delivery.disconnect()
        made.say()
        await made.answered()


async def expired_streams(made: Troubled) -> None:
    slack, speaker = made.crowd.slack, made.speaker
    speaker.hold = asyncio.Event()
    made.say("long")
    await made.until(lambda: any(slack.world.streaming(message) for message in slack.said))
    slack.expire_streams()
    speaker.hold.set()
    await made.answered()
    made.say()
    await made.answered()


async def slack_interactions_twice(made: Troubled) -> None:
    slack, session = made.crowd.slack, made.crowd.sessions[0]
    slack.faults.copies = 3
    person = made.crowd.people[0][1]
    made.crowd.say(session, "ask")
    await made.until(lambda: any("the first" in str(message.blocks) for message in person.sees()))
    card = next(message for message in person.sees() if "the first" in str(message.blocks))
    person.click(card, "the first")
    await made.answered()
    person.slash("status")
    await made.until(lambda: any(message.only_for for message in person.sees()))
    made.say()
    await made.answered()
    await slack.settled()
    assert len([message for message in person.sees() if message.only_for]) == 1


SLACK: dict[str, Trouble] = {
    "lost acks": lost_acks,
    "triple delivery": triple_delivery,
    "socket drop": socket_drop,
    "disconnect refresh": disconnect_refresh,
    "expired streams": expired_streams,
    "interactions three times": slack_interactions_twice,
}
BY_SOCKET = {"socket drop", "disconnect refresh"}
IN_MODES = [
    (name, mode)
    for name in SLACK
    for mode in ("socket", "http")
    if mode == "socket" or name not in BY_SOCKET
]


@pytest.mark.parametrize(("name", "mode"), IN_MODES)
async def test_slack(name: str, mode: str, tmp_path: Path):
    async with troubled(tmp_path, (0, 0, 2, 1), SEED, mode=mode) as made:
        await SLACK[name](made)
        await made.crowd.slack.settled()
        assert made.problems() == []
