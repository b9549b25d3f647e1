"""A campaign of kill -9 at every phase of a turn: a real process, loopback platforms and model."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bot.loopback.discord import Fault
from bot.loopback.slack import CutAfter, Reset
from bot.testing.campaign.crowds import crowd_of
from bot.testing.campaign.home import crashes, end, ledger, start
from bot.testing.campaign.people import Crowd, Places, Session
from bot.testing.campaign.phases import Outside, Phase, phase_of, read_journal
from bot.testing.campaign.speaker import Speaker

PATIENCE_S = 180.0
OVERTIME_S = 300.0
"""Extra seconds that a slow machine may take until the report is enough."""
STRIKE_S = 3.0
"""Seconds after which a kill happens anyway, if its moment hasn't come."""
LOOK_S = 0.005
GIVE_UP_EVERY = 6
"""One round in so many has a turn that is given up."""
MOST_LIVES = 12
"""The most processes that a message may crash before it must be given up."""
KINDS = ("pay", "pay", "plain", "plain", "long")
AGENTS = ("plan", "swarm", "background", "plain")
"""Kinds of messages that agents work on."""
POSTS = ("chat.postMessage", "chat.startStream", "chat.stopStream")


@dataclass
class KillReport:
    """What a campaign did, and what it found."""

    kills: int = 0
    messages: int = 0
    given_up: int = 0
    """Turns that crashed the process themselves until it gave them up."""
    bursts: int = 0
    """How often somebody wrote several lines at once."""
    joined: int = 0
    """Messages that joined a turn begun by an earlier message."""
    phases: Counter[Phase] = field(default_factory=Counter[Phase])
    """Turns that a kill struck, by their phase at that moment."""
    kinds: Counter[str] = field(default_factory=Counter[str])
    """The same turns, by the kind of message."""
    problems: list[str] = field(default_factory=list[str])
    seconds: float = 0.0

    @property
    def struck(self) -> int:
        return self.phases.total()

    def lines(self) -> list[str]:
        """Return the report as lines to print."""
        head = (
            f"{self.messages} messages, {self.kills} kills, {self.struck} turns struck, "
            f"{self.seconds:.0f} s"
        )
        more = f"{self.joined} joined another, {self.bursts} bursts, {self.given_up} turns given up"
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common())
        return [
            head,
            more,
            f"struck: {kinds}",
            *(f"  {self.phases[phase]:>5}  {phase}" for phase in Phase),
            *self.problems[:40],
        ]


Enough = Callable[[KillReport], bool]


class KillCampaign:
    """Consecutive lives of one home; kill -9 ends each at a moment chosen by a seeded generator."""

    def __init__(
        self,
        home: Path,
        crowd: Crowd,
        speaker: Speaker,
        chance: random.Random,
        kinds: Sequence[str] = KINDS,
    ) -> None:
        self._home = home
        self._kinds = kinds
        self._agents = [kind for kind in kinds if kind in AGENTS and kind not in KINDS]
        self._crowd = crowd
        self._speaker = speaker
        self._chance = chance
        self._lives: list[asyncio.subprocess.Process] = []
        self.report = KillReport()

    async def run(self, turns: int, seconds: float, enough: Enough) -> KillReport:
        """Strike this many turns, or until time is up and it is `enough`; await all answers."""
        began = time.monotonic()
        await self._live()
        for session in self._crowd.sessions:
            self._crowd.say(session)
        await self._all_answered()
        late = (Phase.MODEL, Phase.TOOL, Phase.AFTER_TOOL, Phase.INTENT, Phase.PROCESSED)
        wanted = [*late, Phase.BEFORE_ACCEPT, *reversed(late), Phase.AFTER_ACCEPT, None]
        if self._agents:
            wanted = [
                Phase.AGENTS,
                Phase.INTENT,
                Phase.AGENTS,
                Phase.PROCESSED,
                Phase.AGENTS,
                Phase.MODEL,
                None,
            ]
        rounds = 0
        while self.report.struck < turns and (
            time.monotonic() < began + seconds
            or (not enough(self.report) and time.monotonic() < began + seconds + OVERTIME_S)
        ):
            if rounds % GIVE_UP_EVERY == GIVE_UP_EVERY - 1:
                await self._give_up_round()
            await self._round(wanted[rounds % len(wanted)])
            rounds += 1
        await self._crowd.slack.settled()
        await self._all_answered()
        await end(self._lives[-1])
        await self._judge()
        self.report.messages = len(self._crowd.keys)
        self.report.seconds = time.monotonic() - began
        return self.report

    # --- one life ---

    async def _round(self, phase: Phase | None) -> None:
        """People write, the process dies, perhaps again in recovery; then all is answered."""
        if phase not in {Phase.BEFORE_ACCEPT, None}:
            for session in (self._crowd.sessions[0], self._crowd.sessions[-1]):
                self._crowd.say(session)  # later messages then don't wait for catch-up
            await self._all_answered()
        struck = self._burst(phase)
        await self._strike(phase, struck)
        await self._count(struck)
        await self._live(ready=self._chance.random() < 0.7)
        if self._chance.random() < 0.3:
            await asyncio.sleep(self._chance.uniform(0, 0.8))
            again = [number for number in struck if number in set(self._crowd.open())]
            await self._kill()
            await self._count(again)
            await self._live()
        await self._all_answered()

    def _burst(self, phase: Phase | None) -> list[int]:
        """Some people write, a few twice; the first needs a tool if the phase is about tools."""
        count = 3 if phase is Phase.BEFORE_ACCEPT else 8
        sessions = self._chance.sample(
            self._crowd.sessions, k=min(count, len(self._crowd.sessions))
        )
        kinds = [self._chance.choice(self._kinds) for _ in sessions]
        if phase in {Phase.TOOL, Phase.AFTER_TOOL}:
            kinds[0] = "pay"
        if phase is Phase.AGENTS:
            kinds[0] = self._chance.choice(self._agents)
        said = [
            self._crowd.say(session, kind) for session, kind in zip(sessions, kinds, strict=True)
        ]
        twice: list[Session] = [session for session in sessions if self._chance.random() < 0.2]
        said += [self._crowd.say(session) for session in twice]
        return said + self._lines(sessions[-1])

    def _lines(self, session: Session) -> list[int]:
        """Let somebody write several lines at once."""
        self.report.bursts += 1
        return [self._crowd.say(session) for _ in range(self._chance.randint(2, 4))]

    async def _give_up_round(self) -> None:
        """One message crashes every process that works on it; all others are answered."""
        alone = [session for session in self._crowd.sessions if not session.room.shared]
        sessions = self._chance.sample(
            alone, k=min(4, len(alone))
        )  # an apology names no message, so each needs a conversation of its own
        self._speaker.kill = self._strike_down
        self._crowd.say(sessions[0], "deadly")
        self._lines(sessions[0])
        for session in sessions[1:]:
            self._crowd.say(session, self._chance.choice(self._kinds))
        for _ in range(MOST_LIVES):
            process = self._lives[-1]
            await self._until(
                lambda process=process: process.returncode is not None or not self._crowd.open()
            )
            if not self._crowd.open():
                break
            await self._kill()
            await self._live()
        self._speaker.kill = None
        await self._all_answered()
        self.report.given_up += 1

    async def _strike(self, phase: Phase | None, struck: list[int]) -> None:
        """Kill the process in this phase of the first message; None: at any moment."""
        chance, first, process = self._chance, struck[0], self._lives[-1]
        match phase:
            case Phase.BEFORE_ACCEPT:
                await asyncio.sleep(chance.uniform(0, 0.003))
                process.kill()
            case Phase.AFTER_ACCEPT:
                await asyncio.sleep(chance.uniform(0.003, 0.03))
                process.kill()
            case Phase.MODEL:
                self._speaker.ambush = (first, process.kill)
            case Phase.TOOL | Phase.AFTER_TOOL:
                word = "begin" if phase is Phase.TOOL else "end"
                await self._until(lambda: f"{word} line {first}" in ledger(self._home), STRIKE_S)
                await asyncio.sleep(chance.uniform(0, 0.02))
                process.kill()
            case Phase.AGENTS:
                await self._until(lambda: self._speaker.asked_agents(first), STRIKE_S)
                await asyncio.sleep(chance.uniform(0, 0.5))
                process.kill()
            case Phase.INTENT | Phase.PROCESSED:
                self._trap(processed=phase is Phase.PROCESSED, then=process.kill)
            case None:
                await asyncio.sleep(chance.uniform(0, 0.8))
                process.kill()
        try:
            await asyncio.wait_for(process.wait(), STRIKE_S)
        except TimeoutError:
            process.kill()
        await self._kill()

    def _trap(self, *, processed: bool, then: Callable[[], None]) -> None:
        """Cut the next posts on either platform; each cut kills the process."""
        skip = self._chance.randint(0, 2)
        path = r"/channels/\d+/messages"
        fault = Fault(
            "POST", path, reset=not processed, after_processing=processed, skip=skip, then=then
        )
        self._crowd.discord.fault(fault)
        for method in POSTS:
            self._crowd.slack.fail(method, CutAfter(then) if processed else Reset(then))

    async def _count(self, struck: list[int]) -> None:
        """Count the phase in which each of these messages was."""
        left = {turn.key: turn for turn in await read_journal(self._home, self._home / "copy")}
        visible = {number for session in self._crowd.sessions for number in session.answers()}
        outside = Outside(self._speaker.asked, set(ledger(self._home)), visible)
        working = self._crowd.working()
        for number in struck:
            phase = phase_of(number, self._crowd.keys[number], left, outside)
            if phase is None and number in working:
                phase = Phase.AGENTS
            if phase is not None:
                self.report.phases[phase] += 1
                self.report.kinds[self._crowd.kinds[number]] += 1

    # --- the process ---

    async def _live(self, *, ready: bool = True) -> None:
        """Start a process; `ready` waits until it is connected, or a deadly message ended it."""
        process = await start(self._home)
        self._lives.append(process)
        gateway, delivery = self._crowd.discord.gateway, self._crowd.slack.delivery
        if ready:
            await self._until(
                lambda: process.returncode is not None or (gateway.connected and delivery.sockets)
            )

    def _strike_down(self) -> None:
        if self._lives[-1].returncode is None:
            self._lives[-1].kill()

    async def _kill(self) -> None:
        """Kill the process, and clear the faults and the ambush meant for it."""
        process = self._lives[-1]
        if process.returncode is None:
            process.kill()
        await process.wait()
        self.report.kills += 1
        self._speaker.ambush = None
        self._crowd.discord.faults.clear()
        self._crowd.slack.faults.waiting.clear()
        self._crowd.discord.gateway.forget()

    async def _all_answered(self) -> None:
        """Wait until everything is answered.

        Raises TimeoutError naming what is missing; at once if the process has ended by itself.
        """
        process = self._lives[-1]
        with suppress(TimeoutError):
            await self._until(lambda: process.returncode is not None or not self._crowd.open())
        if missing := self._crowd.open():
            log = (self._home / "bot.log").read_text()[-3000:]
            state = "still runs" if process.returncode is None else f"ended ({process.returncode})"
            raise TimeoutError(
                f"nobody answers {missing}; the process {state}; the log ends with {log}"
            )

    async def _until(self, condition: Callable[[], object], seconds: float = PATIENCE_S) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not condition():  # noqa: ASYNC110 - a ledger in a file has no event
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            if seconds >= PATIENCE_S:
                raise

    async def _judge(self) -> None:
        self.report.problems = self._crowd.problems(ledger(self._home))
        left = await read_journal(self._home, self._home / "copy")
        self.report.problems += [f"{turn.key} is not settled" for turn in left if not turn.settled]
        self.report.joined = sum(turn.joined_to is not None for turn in left)
        self.report.problems += crashes(self._home)


async def kill_campaign(
    home: Path,
    *,
    turns: int,
    seed: int,
    places: Places = (5, 3, 5, 3),
    seconds: float = 900,
    kinds: Sequence[str] = KINDS,
    enough: Enough = lambda _report: True,
) -> KillReport:
    """Strike at least this many turns with messages of these `kinds`; see `KillCampaign`.

    After `seconds` the campaign ends earlier, as soon as the report is `enough`.
    Raises TimeoutError when something stays unanswered.
    """
    chance = random.Random(seed)  # noqa: S311 - moments to die at
    speaker = Speaker(chance)
    async with crowd_of(places, speaker, home) as crowd:
        return await KillCampaign(home, crowd, speaker, chance, kinds).run(turns, seconds, enough)
