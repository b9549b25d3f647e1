"""A soak campaign: many messages and sessions, one fault in a hundred, no loss, flat memory."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.loopback.discord import Fault
from bot.loopback.slack import CutAfter, Reset, Status
from bot.testing.campaign.crowds import crowd_of
from bot.testing.campaign.home import crashes, end, ledger, start
from bot.testing.campaign.people import Crowd, Places, Session
from bot.testing.campaign.phases import read_journal
from bot.testing.campaign.speaker import Speaker

AT_ONCE = 24
"""How many people may wait for an answer at a time."""
PATIENCE_S = 400.0
LOOK_S = 0.02
KINDS = ("plain",) * 8 + ("pay", "long")
MARKS = (0.02, 0.2, 0.5, 1.0)
"""Fractions of all messages after which memory is measured."""
METHODS = (
    "chat.postMessage",
    "chat.update",
    "chat.startStream",
    "chat.appendStream",
    "chat.stopStream",
)


@dataclass
class SoakReport:
    """What a soak did and found. Memory is resident MB, by the number of answered messages."""

    sessions: int
    messages: int = 0
    faults: Counter[str] = field(default_factory=Counter[str])
    memory_mb: dict[int, float] = field(default_factory=dict[int, float])
    problems: list[str] = field(default_factory=list[str])
    seconds: float = 0.0

    def lines(self) -> list[str]:
        """Return the report as lines to print."""
        head = f"{self.messages} messages, {self.sessions} sessions, {self.seconds:.0f} s"
        memory = ", ".join(f"{count}: {mb:.1f} MB" for count, mb in self.memory_mb.items())
        faults = [f"  {count:>5}  {name}" for name, count in sorted(self.faults.items())]
        return [head, f"memory after messages: {memory}", *faults, *self.problems[:40]]


class Troubles:
    """Injects faults at a rate per message, and counts each kind."""

    def __init__(
        self, crowd: Crowd, chance: random.Random, rate: float, counted: Counter[str]
    ) -> None:
        self._crowd = crowd
        self._chance = chance
        self._rate = rate
        self._counted = counted

    async def before(self) -> None:
        """Perhaps inject a fault before the next message."""
        if self._hits("call of a platform fails"):
            self._fail_calls()
        if self._chance.random() < self._rate / 10:
            await self._lose_connection()

    def say(self, session: Session, kind: str) -> int:
        """Write the message; its event may arrive twice, and its acknowledgement may get lost."""
        slack, gateway = self._crowd.slack.faults, self._crowd.discord.gateway
        if self._hits("acknowledgement lost on Slack"):
            slack.lose_acks += 1
        if self._hits("event delivered three times"):
            gateway.copies = slack.copies = 3
        number = self._crowd.say(session, kind)
        gateway.copies = slack.copies = 1
        return number

    def _hits(self, name: str) -> bool:
        hit = self._chance.random() < self._rate
        self._counted[name] += hit
        return hit

    def _fail_calls(self) -> None:
        posts = r"/channels/\d+/messages(/\d+)?"
        self._crowd.discord.fault(
            self._chance.choice(
                [
                    Fault("POST|PATCH", posts, reset=True),
                    Fault("POST|PATCH", posts, after_processing=True),
                    Fault("POST|PATCH", posts, status=503),
                ]
            )
        )
        self._crowd.slack.fail(
            self._chance.choice(METHODS), self._chance.choice([Status(503), Reset(), CutAfter()])
        )

    async def _lose_connection(self) -> None:
        gateway, delivery = self._crowd.discord.gateway, self._crowd.slack.delivery
        losses: Sequence[tuple[str, Callable[[], None]]] = (
            ("connection to Discord reset", gateway.abort),
            ("op 7 of Discord", gateway.reconnect),
            ("op 9 of Discord, resumable", lambda: gateway.invalidate(resumable=True)),
            ("op 9 of Discord, not resumable", lambda: gateway.invalidate(resumable=False)),
            ("connection to Slack reset", delivery.abort),
        )
        name, lose = self._chance.choice(losses)
        if self._chance.random() < 1 / (len(losses) + 1):
            name = "disconnect of Slack"
            await delivery.disconnect()
        else:
            lose()
        self._counted[name] += 1


class Soak:
    """One life of the program, with everybody writing to it."""

    def __init__(self, home: Path, crowd: Crowd, speaker: Speaker, chance: random.Random) -> None:
        self._home = home
        self._crowd = crowd
        self._speaker = speaker
        self._chance = chance
        self.report = SoakReport(len(crowd.sessions))
        self._troubles = Troubles(crowd, chance, speaker.fault_rate, self.report.faults)
        self._answered = 0
        self._ended = False

    async def run(self, messages: int, seconds: float) -> SoakReport:
        """Run until every message is answered; after `seconds` nobody writes anything new.

        Raises TimeoutError naming what is unanswered.
        """
        began = time.monotonic()
        process = await start(self._home)
        queue = self._script(messages)
        marks = [max(1, int(messages * mark)) for mark in MARKS]

        async def person() -> None:
            while queue and time.monotonic() - began < seconds:
                await self._talk(queue.pop())
                while marks and self._answered >= marks[0]:
                    self.report.memory_mb[marks.pop(0)] = _memory_mb(process.pid)

        try:
            while not (  # noqa: ASYNC110
                self._crowd.discord.gateway.connected and self._crowd.slack.delivery.sockets
            ):
                await asyncio.sleep(LOOK_S)
            await asyncio.gather(*(person() for _ in range(AT_ONCE)))
            await self._crowd.slack.settled()
            self.report.memory_mb[self._answered] = _memory_mb(process.pid)
            await asyncio.sleep(0.5)
        finally:
            await end(process)
        await self._judge()
        self.report.seconds = time.monotonic() - began
        return self.report

    def _script(self, messages: int) -> list[tuple[Session, int]]:
        """Draw who writes how many messages at once, last first; everybody writes equally often."""
        sessions = self._crowd.sessions
        script: list[tuple[Session, int]] = []
        left = messages
        while left > 0:
            for session in self._chance.sample(sessions, len(sessions)):
                count = min(left, 2 if self._chance.random() < 0.1 else 1)
                if count:
                    script.append((session, count))
                left -= count
        return script[::-1]

    async def _talk(self, turn: tuple[Session, int]) -> None:
        session, count = turn
        for _ in range(count):
            await self._troubles.before()
            self._troubles.say(session, self._chance.choice(KINDS))
        try:
            async with asyncio.timeout(PATIENCE_S):
                while session.open():  # noqa: ASYNC110 - what a person sees has no event
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            log = (self._home / "bot.log").read_text()[-3000:]
            raise TimeoutError(
                f"nobody answers {session.open()}; there stands {session.room.seen()}; {log}"
            ) from None
        self._answered += count

    async def _judge(self) -> None:
        self.report.messages = len(self._crowd.keys)
        self.report.faults["model call fails"] = self._speaker.faults
        self.report.problems = self._crowd.problems(ledger(self._home))
        left = await read_journal(self._home, self._home / "copy")
        self.report.problems += [f"{turn.key} is not settled" for turn in left if not turn.settled]
        self.report.problems += crashes(self._home)


def _memory_mb(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return (
        next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        / 1024
    )


def places_for(sessions: int) -> Places:
    """Spread the sessions over the platforms, mostly as direct messages on Discord.

    Slack limits the rest. An app may read 50 channels a minute, so after a lost connection only 50
    conversations a minute can continue. The threads of one channel share its limit of one post a
    second.
    """
    threads, slack = max(1, sessions // 100), max(2, sessions // 8)
    return sessions - slack - 5 * threads, 4 * threads, slack, threads


async def soak(
    home: Path, *, messages: int, sessions: int, rate: float, seed: int, seconds: float = 1800
) -> SoakReport:
    """Let people in this many sessions write this many messages; see `Soak`."""
    chance = random.Random(seed)  # noqa: S311 - moments of trouble
    speaker = Speaker(chance, rate)
    async with crowd_of(places_for(sessions), speaker, home) as crowd:
        return await Soak(home, crowd, speaker, chance).run(messages, seconds)
