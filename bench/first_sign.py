"""How soon people see that Bellhop works: `python bench/first_sign.py [--pace-s 10]`.

Exits with 1 where a goal is missed.

Bellhop runs in a process of its own on loopback Discord and on loopback Slack, whose rate limits
are on. Each conversation has a channel and a person of its own: a mention, then two more messages
in the thread, one each `--pace-s` seconds; the conversations begin evenly spread over that time.
Everybody has written before, as Slack tells of a hundred people a minute and no more. A
turn has two model calls of two seconds with a tool call between them. The first sign is the first
call that shows anything in that channel or its thread: a thread, typing, a status, a line, a draft.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bytecode import compile_program
from figures import Figures
from platforms import PATIENCE_S, SLOW_QUESTION, Measured, model_server

from bot.loopback.discord import DiscordPlatform, Message, Options
from bot.loopback.discord.platform import BucketRule
from bot.loopback.slack import APP_TOKEN, BOT_TOKEN, SlackPlatform
from bot.loopback.slack import Message as SlackMessage

CROWDS = (1, 20, 100)
ROUNDS = 3
GREETING_S = 0.75
MOST_MS = 300
ANSWER = "answers you."
CHANNEL = "/channels/{channel}"
DISCORD_LIMITS = {
    f"POST {CHANNEL}/messages": BucketRule(5, 5.0),
    f"PATCH {CHANNEL}/messages/{{message}}": BucketRule(5, 5.0),
    f"POST {CHANNEL}/typing": BucketRule(5, 5.0),
    f"POST {CHANNEL}/messages/{{message}}/threads": BucketRule(50, 300.0),
}
"""By channel, as Discord has named them; it changes them without notice."""
SHOWING = ("/typing", "/messages", "/threads")
SLACK_SIGNS = {
    *("agents.sessions.setStatus", "assistant.threads.setStatus", "chat.postMessage"),
    *("chat.startStream", "chat.update"),
}


@dataclass(frozen=True)
class Seen:
    """One call of Bellhop: when, where it shows something (empty: nowhere), and its end."""

    at: float
    place: str = ""
    refused: bool = False


class Town(Protocol):
    """People who each talk with Bellhop in a channel of their own."""

    def greet(self, number: int) -> None:
        """Write to nobody."""
        ...

    def say(self, number: int, text: str) -> None: ...

    def answers(self, number: int) -> int:
        """How many whole answers stand in this conversation."""
        ...

    def calls(self) -> Sequence[Seen]: ...

    def place(self, number: int) -> Callable[[Seen], bool]:
        """Whether a call shows something there."""
        ...

    async def until(self, done: Callable[[], bool]) -> None: ...


class OnDiscord:
    def __init__(self, platform: DiscordPlatform, people: int) -> None:
        self.platform = platform
        guild = platform.guild()
        self._people = [platform.person(f"p{number}") for number in range(people)]
        self._channels = [platform.channel(guild, f"c{number}") for number in range(people)]
        self._roots: dict[int, Message] = {}

    def greet(self, number: int) -> None:
        self._people[number].say(self._channels[number], "good morning")

    def say(self, number: int, text: str) -> None:
        person, root = self._people[number], self._roots.get(number)
        if root is None:
            self._roots[number] = person.say(self._channels[number], text, mention=True)
            return
        thread = person.thread_of(root)
        assert thread is not None
        person.say(thread, text)

    def answers(self, number: int) -> int:
        person, root = self._people[number], self._roots[number]
        thread = person.thread_of(root)
        if thread is None:
            return 0
        return sum(one.content.endswith(ANSWER) for one in person.sees(thread))

    def calls(self) -> Sequence[Seen]:
        return [
            Seen(
                call.at,
                call.path.split("/")[2]
                if call.method == "POST" and call.path.endswith(SHOWING)
                else "",
                call.status == 429,
            )
            for call in self.platform.log.calls
        ]

    def place(self, number: int) -> Callable[[Seen], bool]:
        here = {str(self._channels[number].id), str(self._roots[number].id)}
        return lambda call: call.place in here

    async def until(self, done: Callable[[], bool]) -> None:
        await self.platform.until(done, PATIENCE_S)


class OnSlack:
    def __init__(self, platform: SlackPlatform, people: int) -> None:
        self.platform = platform
        self._people = [platform.person(f"p{number}") for number in range(people)]
        self._channels = [
            platform.channel(f"c{number}", person) for number, person in enumerate(self._people)
        ]
        self._roots: dict[int, str] = {}
        self._by_channel: defaultdict[str, list[SlackMessage]] = defaultdict(list)
        self._sorted = 0

    def greet(self, number: int) -> None:
        self._people[number].say("good morning", self._channels[number])

    def say(self, number: int, text: str) -> None:
        person, channel = self._people[number], self._channels[number]
        if number in self._roots:
            person.say(text, channel, self._roots[number])
        else:
            self._roots[number] = person.mention(text, channel).ts

    def answers(self, number: int) -> int:
        messages = self.platform.world.messages
        for message in messages[self._sorted :]:
            self._by_channel[message.channel].append(message)
        self._sorted = len(messages)
        mine = self._by_channel[self._channels[number].id]
        return sum(one.from_bot and one.text.rstrip().endswith(ANSWER) for one in mine)

    def calls(self) -> Sequence[Seen]:
        return [
            Seen(
                call.at,
                str(call.arguments.get("channel") or call.arguments.get("channel_id") or "")
                if call.method in SLACK_SIGNS
                else "",
                call.answer == "ratelimited",
            )
            for call in self.platform.log.calls
        ]

    def place(self, number: int) -> Callable[[Seen], bool]:
        here = self._channels[number].id
        return lambda call: call.place == here

    async def until(self, done: Callable[[], bool]) -> None:
        await self.platform.until(done, PATIENCE_S)


@dataclass
class Found:
    """What people saw: seconds to the first sign of each answer, and what Bellhop called."""

    signs: list[float] = field(default_factory=list[float])
    unanswered: int = 0
    refused: int = 0
    calls: int = 0
    busiest: int = 0
    """The most calls within a second."""


async def talk(town: Town, people: int, pace_s: float) -> Found:
    """The conversations, after one that warms up."""
    for number in range(people):
        town.greet(number)
        await asyncio.sleep(GREETING_S)
    town.say(people, SLOW_QUESTION)
    await town.until(lambda: town.answers(people) > 0)
    found, before = Found(), len(town.calls())

    async def converse(number: int) -> None:
        await asyncio.sleep(pace_s * number / people)
        for turn in range(ROUNDS):
            began = time.monotonic()
            town.say(number, SLOW_QUESTION)
            asked.append((number, began))
            try:
                await town.until(lambda turn=turn: town.answers(number) > turn)
            except TimeoutError:
                found.unanswered += 1
                return
            await asyncio.sleep(max(0.0, began + pace_s - time.monotonic()))

    asked: list[tuple[int, float]] = []
    await asyncio.gather(*(converse(number) for number in range(people)))
    calls = town.calls()[before:]
    for number, began in asked:
        here = town.place(number)
        sign = next((one.at for one in calls if one.at >= began and here(one)), None)
        found.signs += [] if sign is None else [sign - began]
    found.refused = sum(one.refused for one in calls)
    found.calls = len(calls)
    times = [one.at for one in calls]
    found.busiest = max(sum(at <= other < at + 1 for other in times) for at in times)
    return found


def settings(section: str, platform: str, model_url: str) -> str:
    return (
        f"model: {{provider: compatible, name: bench, base_url: '{model_url}', context_tokens: "
        f"1000000}}\n{platform}: {{enabled: true, {section}}}\n"
        "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
    )


async def on_discord(model_url: str, people: int, pace_s: float) -> Found:
    async with DiscordPlatform(Options(rate_limits=DISCORD_LIMITS)) as platform:
        town = OnDiscord(platform, people + 1)
        section = f"api_base: '{platform.api_base}'"
        text = settings(section, "discord", model_url)
        with running(text, {"DISCORD_TOKEN": platform.options.token}):
            await platform.until(lambda: platform.gateway.connected, PATIENCE_S)
            return await talk(town, people, pace_s)


async def on_slack(model_url: str, people: int, pace_s: float) -> Found:
    async with SlackPlatform() as platform:
        platform.enforce_rates()
        town = OnSlack(platform, people + 1)
        text = settings(f"api_base: '{platform.api_base}'", "slack", model_url)
        with running(text, {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN}):
            await platform.delivery.wait_connected()
            return await talk(town, people, pace_s)


@contextmanager
def running(text: str, secrets: Mapping[str, str]) -> Generator[None]:
    """Bellhop in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "bellhop.yaml").write_text(text)
        command = [sys.executable, "-m", "bot", "--home", str(home), "run"]
        bot = Measured(command, {**secrets, "ANTHROPIC_API_KEY": "bench"})
        try:
            yield
        finally:
            bot.stop()


PLATFORMS = {"Discord": on_discord, "Slack": on_slack}


def told(figures: Figures, name: str, people: int, found: Found) -> None:
    signs = sorted(found.signs)
    p50, p95 = (signs[min(len(signs) - 1, int(len(signs) * share))] for share in (0.5, 0.95))
    what = f"{name}, {people} conversation{'s' if people > 1 else ''}"
    figures.at_most(
        f"{what}: first sign, p95", p95 * 1000, MOST_MS, "ms", f"(median {p50 * 1000:.0f})"
    )
    answers = people * ROUNDS - found.unanswered
    figures.told(
        f"{what}: calls per answer",
        f"{found.calls / answers:.1f} (at most {found.busiest} within a second)",
    )
    figures.at_most(f"{what}: calls refused with 429", found.refused, 0)
    figures.at_most(f"{what}: unanswered or unseen", people * ROUNDS - len(signs), 0)


async def work(crowds: Sequence[int], pace_s: float) -> int:
    figures = Figures()
    for name, talks in PLATFORMS.items():
        for people in crowds:
            with model_server() as url:
                told(figures, name, people, await talks(url, people, pace_s))
    return figures.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--pace-s", type=float, default=10.0, help="seconds between messages of a conversation"
    )
    parser.add_argument("--crowds", default=",".join(map(str, CROWDS)))
    given = parser.parse_args()
    compile_program()
    return asyncio.run(work([int(one) for one in given.crowds.split(",")], given.pace_s))


if __name__ == "__main__":
    sys.exit(main())
