"""A year of schedules and reminders: `python bench/year.py [--days N] [--seed N]`.

Exits with 1 where a goal is missed.

A whole Bellhop with a fake chat, and a clock that runs by itself and leaps to the next due time.
200 repeating schedules and 1,000 todos with due times (100 of them repeat) of twenty people in ten
time zones, half of them in the hours in which clocks are changed. Every few days the process ends,
in good order or at some write as with kill -9, stays away for up to six hours or not at all, and
the machine's clock is set wrong now and then. When each thing is due is computed here anew, by
another way than Bellhop's. Which of these times a post tells of is read from the ledger of ticks,
since a clock that was set meanwhile does not tell. A time of a cron that passed long before the
next start may be skipped; every other time must be told once.

Then the CPU that 1,000 schedules cost a Bellhop that nobody talks to.
"""

import argparse
import asyncio
import json
import logging
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from datetime import time as clock_time
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import uvloop
from figures import Figures

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from year_rules import PEOPLE, START, ZONES, Repeats, Thing, things_of, zone_of

from bot.app import AppOptions, open_app
from bot.clock import SystemClock, format_utc, parse_utc
from bot.connectors.records import RecordProvenance
from bot.connectors.todos import reminders
from bot.connectors.todos import store as todos
from bot.connectors.todos.store import Todo
from bot.domain.chat import LiveReply
from bot.domain.database import Database, Unit
from bot.domain.messages import IncomingMessage, OutgoingMessage, Receipt
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.domain.origins import Origin, Trust
from bot.domain.places import Location
from bot.domain.privacy import Learned
from bot.domain.schedules import ScheduledTask
from bot.domain.sessions import SessionKey
from bot.domain.step_keys import turn_of
from bot.domain.work import ScheduleWork, dump_work
from bot.sessions.records.envelope import incoming_to_json
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.fake_chat import FakeChat
from bot.testing.leaping_clock import LeapingClock
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.tools import NO_SANDBOX
from bot.turns.engine import TurnEngine
from bot.turns.refs import make_ref
from bot.turns.schedules import tasks_store
from bot.turns.schedules.timetable import GRACE

LATE_S = 1.0
IDLE = 0.1
"""Percent of one core."""
STUCK_S = 60.0
HOUR = timedelta(hours=1)
SECONDS_ALIVE = timedelta(seconds=10)
Span = tuple[datetime, datetime]


# --- the house ---


class Echo(ScriptedModel):
    """Says which task it was given. It keeps no requests."""

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        if request.answer_schema is not None:
            return self.structure(request)
        text = str(request.messages[0])
        return say("ran " + text[text.index("Report ") + 7 :].split(".", 1)[0])


@dataclass
class Told:
    """A post about a thing: when it became visible, and by which turn (its reference)."""

    at: datetime
    turn: str


class StampedChat(FakeChat):
    """Notes when each thing became visible."""

    def __init__(self) -> None:
        super().__init__()
        self.clock: LeapingClock | None = None
        self.told: dict[str, list[Told]] = defaultdict(list)
        self.other: list[str] = []

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        before = len(self.posts)
        receipt = await super().send(message, key, live)
        if len(self.posts) > before and self.clock is not None:
            name = _name_in(message.text)
            told = Told(self.clock.now(), turn_of(key))
            self.told[name].append(told) if name else self.other.append(message.text)
        return receipt


def _name_in(text: str) -> str:
    if text.startswith("Reminder: **"):
        return text.removeprefix("Reminder: **").split("**", 1)[0]
    return text.removeprefix("ran ") if text.startswith("ran ") else ""


def furnish(home: Path) -> None:
    home.mkdir()
    people = [
        {
            "id": who,
            "name": who,
            "role": "Friend",
            "timezone": zone_of(one),
            "ids": {"discord": [who]},
        }
        for one, who in ((one, f"p{one}") for one in range(PEOPLE))
    ]
    (home / "contacts.yaml").write_text(json.dumps(people))
    (home / "bellhop.yaml").write_text(NO_SANDBOX)


async def store(database: Database, chat: FakeChat, things: list[Thing], now: datetime) -> None:
    """Write everything as the tools that people use write it."""
    for thing in things:
        if thing.dues:
            write = _schedule if thing.skips else _todo
            await database.write(write(thing, chat.message(f"p{thing.owner}", "please"), now))


def _schedule(thing: Thing, made: IncomingMessage, now: datetime) -> Unit:
    who, there, ref = made.sender.id, made.conversation, thing.name.lower()
    rule = thing.repeats
    task = ScheduledTask(
        ref=ref,
        schedule=0,
        session=str(SessionKey(there.platform, there.workspace, there.id, who, f"schedule:{ref}")),
        owner=who,
        name=thing.name,
        prompt=f"Report {thing.name}.",
        conversation=there.key,
        learned=Learned.at(Location.of(there)),
        origin=Origin(Trust.PERSON, f"person:{who}"),
        cron=rule.cron if rule else None,
        zone=rule.zone if rule else "UTC",
        next_due=thing.dues[0],
        paused=False,
        paused_why="",
        failures=0,
        created_at=now,
    )
    return tasks_store.create(task, dump_work(ScheduleWork(incoming_to_json(made), ref)))


def _todo(thing: Thing, made: IncomingMessage, now: datetime) -> Unit:
    who, there, rule = made.sender.id, made.conversation, thing.repeats
    origin = Origin(Trust.PERSON, f"person:{who}")
    todo = Todo(
        id=thing.name.lower(),
        owner=who,
        title=thing.name,
        provenance=RecordProvenance(
            "assistant", "s1", there.key, Learned.at(Location.of(there)), origin
        ),
        created_at=format_utc(now),
        updated_at=format_utc(now),
        due_date=format_utc(thing.dues[0]),
        repeats=rule.cron if rule else None,
        zone=rule.zone if rule else zone_of(thing.owner),
    )
    return todos.insert(todo) + reminders.ringing(
        todo, thing.dues[0], incoming_to_json(made), now, keep_place=False
    )


# --- the year ---


@dataclass
class Year:
    """What happens, and when nothing ran."""

    end: datetime
    chance: random.Random
    clock: LeapingClock
    home: Path
    away: list[Span] = field(default_factory=list[Span])
    """When nothing ran. Two of them are one where the process between them lived for seconds."""
    leapt: list[Span] = field(default_factory=list[Span])
    """What the clock leapt over, forward or back, when it was set."""
    ticks: dict[str, datetime] = field(default_factory=dict[str, datetime])
    """When each turn that a schedule began was due."""
    counts: Counter[str] = field(default_factory=Counter[str])
    wrong_s: float = 0.0
    """By so many seconds the machine's clock is wrong now."""

    async def pass_by(self, lives: AppLives, model: ScriptedModel) -> None:
        while self.clock.now() < self.end:
            killed = self.chance.random() < 0.6
            moment = self.chance.choice(tuple(Moment))
            point = CrashPoint(self.chance.randint(1, 400), moment) if killed else None
            until = min(self.end, self.clock.now() + timedelta(days=self.chance.uniform(0.5, 6)))
            async with lives.life(model, point) as life:
                await self._live(life, until)
                gone = self.clock.now()
                ended_by = "killed" if life.database.gone else "ended in good order"
            self.counts[ended_by] += 1
            away = self.chance.choice((0.0, 0.0, 5.0, 60.0, self.chance.uniform(0, 6 * 3600)))
            await self.clock.advance(away)
            self._was_away(gone - timedelta(seconds=2), self.clock.now() + timedelta(seconds=2))
            self._read_ledger()
            self.counts["hours away"] += round((self.clock.now() - gone) / timedelta(hours=1))
        async with lives.life(model) as life:  # what was still to be done
            await self._quiet(life)
        self._read_ledger()

    def _was_away(self, gone: datetime, back: datetime) -> None:
        if self.away and abs(gone - self.away[-1][1]) < SECONDS_ALIVE:
            gone, _ = self.away.pop()
        if self.leapt and abs(gone - self.leapt[-1][1]) < SECONDS_ALIVE:
            gone, _ = self.leapt[-1]  # it went before it had done what the clock leapt over
        self.away.append((gone, back))

    def _read_ledger(self) -> None:
        """Bellhop forgets old ticks, so they are read after each life."""
        with closing(sqlite3.connect(self.home / "data" / "bellhop.db")) as database:
            rows = database.execute(
                "SELECT turn, due FROM schedule_ticks WHERE turn IS NOT NULL"
            ).fetchall()
        self.ticks.update({make_ref("t", turn): parse_utc(due) for turn, due in rows})

    async def _live(self, life: AppLife, until: datetime) -> None:
        while self.clock.now() < until and not life.database.gone:
            await self._quiet(life)
            if life.database.gone:
                return
            if self.chance.random() < 0.02:
                await self._set_clock()
                continue
            due = _engine(life).timetable.next_due()
            target = until if due is None else min(due, until)
            await self.clock.advance((target - self.clock.now()).total_seconds())

    async def _set_clock(self) -> None:
        """Somebody sets the clock wrong by up to two hours, or right again."""
        by = -self.wrong_s or self.chance.choice((-1, 1)) * self.chance.uniform(1, 7200)
        self.wrong_s = 0.0 if self.wrong_s else by
        before = self.clock.now()
        self.clock.jump(by)
        await self.clock.advance(30)  # after which everybody has noticed
        now = self.clock.now()
        running = timedelta(seconds=2)  # what had come due just before may be told after it
        self.leapt.append((min(before, now) - running, max(before, now)))
        self.counts["clock set"] += 1

    async def _quiet(self, life: AppLife) -> None:
        """Wait until everything that is due was done, or the process is gone."""
        engine, begun = _engine(life), time.monotonic()
        while not life.database.gone:
            due = engine.timetable.next_due()
            if not engine.busy and (due is None or due > self.clock.now()):
                return
            await asyncio.sleep(0.001)
            if time.monotonic() - begun > STUCK_S:
                raise TimeoutError(
                    f"stuck at {self.clock.now()}, next due {due}, busy {engine.busy}"
                )


def _engine(life: AppLife) -> TurnEngine:
    return life.app.engine


@dataclass
class Verdict:
    due: int = 0
    told: int = 0
    skipped: int = 0
    untimed: int = 0
    """Told, and late by what nothing ran or by what the clock leapt."""
    lost: list[str] = field(default_factory=list[str])
    twice: list[str] = field(default_factory=list[str])
    late_s: list[float] = field(default_factory=list[float])


def judge(things: list[Thing], told: dict[str, list[Told]], year: Year) -> Verdict:
    verdict = Verdict()
    for thing in things:
        verdict.due += len(thing.dues)
        heard: set[datetime] = set()
        for post in told.get(thing.name, ()):
            due = year.ticks.get(post.turn)
            if due is None or due not in thing.dues or due in heard:
                verdict.twice.append(f"{thing.name} at {post.at}, due {due}")
                continue
            heard.add(due)
            verdict.told += 1
            if any(begun <= due <= end for begun, end in (*year.away, *year.leapt)):
                verdict.untimed += 1
            else:
                verdict.late_s.append((post.at - due).total_seconds())
        for due in set(thing.dues) - heard:
            if thing.skips and any(begun <= due <= end - GRACE for begun, end in year.away):
                verdict.skipped += 1
            else:
                near = [
                    span
                    for span in (*year.away, *year.leapt)
                    if span[0] - HOUR <= due <= span[1] + HOUR
                ]
                verdict.lost.append(f"{thing.name} due {due}; away or leapt: {near}")
    return verdict


async def year(
    figures: Figures, folder: Path, days: int, seed: int, schedules: int, reminders_: int
) -> None:
    chance = random.Random(seed)  # noqa: S311
    end = START + timedelta(days=days)
    things = things_of(chance, schedules, reminders_, end)
    home = folder / "year"
    furnish(home)
    chat, clock = StampedChat(), LeapingClock(START)
    chat.clock = clock
    lives = AppLives(home, chat)
    lives.clock = clock
    model = Echo()
    async with lives.life(model) as life:
        await store(life.database, chat, things, START)
    passing = Year(end, chance, clock, home)
    begun = time.perf_counter()
    await passing.pass_by(lives, model)
    took = time.perf_counter() - begun
    verdict = judge(things, chat.told, passing)
    late = sorted(verdict.late_s)
    p50, p95 = (late[int(len(late) * share)] for share in (0.5, 0.95))
    changes = sum(_changes(zone, end) for zone in ZONES)
    print(f"{days} days, {schedules} schedules, {reminders_} todos, seed {seed}: {took:.0f} s")
    print(
        f"  {changes} changes of clocks in {len(ZONES)} zones; "
        + ", ".join(f"{n} {what}" for what, n in passing.counts.items())
    )
    print(
        f"  {verdict.due} times due, {verdict.told} told ({verdict.untimed} after an absence or a"
        f" leap of the clock), {verdict.skipped} times of a cron skipped while nothing ran"
    )
    figures.at_most("told twice", len(verdict.twice), 0, more=f"({verdict.due:,} times due)")
    figures.at_most("lost", len(verdict.lost), 0)
    figures.at_most("other posts", len(chat.other), 0)
    for line in (*verdict.twice[:5], *verdict.lost[:5], *list(Counter(chat.other))[:5]):
        print(f"    {line}")
    more = f"of the clock (p50 {p50:.3f} s, most {late[-1]:.1f} s)"
    figures.at_most("late, p95", p95, LATE_S, "s", more)


def _changes(zone: str, end: datetime) -> int:
    hours = (START + timedelta(hours=one) for one in range(int((end - START) / timedelta(hours=1))))
    offsets = [hour.astimezone(ZoneInfo(zone)).utcoffset() for hour in hours]
    return sum(one != other for one, other in pairwise(offsets))


# --- doing nothing ---


async def idle(figures: Figures, folder: Path, seconds: float) -> None:
    """CPU of an idle app: first without schedules, then with 1,000 monthly ones."""
    home = folder / "idle"
    furnish(home)
    now, chat = datetime.now(UTC), FakeChat()
    async with open_app(AppOptions(home, [chat], Echo(), SystemClock())) as app:
        running = asyncio.create_task(app.run())
        before = await _cpu(seconds)
        things: list[Thing] = []
        for number in range(1_000):
            rule = Repeats(
                clock_time(number % 24, number % 60),
                ZONES[number % len(ZONES)],
                day=1 + now.day % 28,
            )
            due = next(due for due in rule.dues(now + timedelta(days=62)) if due > now)
            things.append(Thing(f"S{number}", number % PEOPLE, [due], rule, skips=True))
        await store(app.database, chat, things, now)
        app.engine.rescheduled()
        after = await _cpu(seconds)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    more = f"({before:.3f} % without, {after:.3f} % with them, for {seconds:.0f} s)"
    figures.at_most("CPU that 1,000 schedules add when idle", after - before, IDLE, "%", more)


async def _cpu(seconds: float) -> float:
    """Percent of one core that this process uses, a few seconds after it began to wait."""
    await asyncio.sleep(5)
    begun, cpu = time.perf_counter(), time.process_time()
    await asyncio.sleep(seconds)
    return 100 * (time.process_time() - cpu) / (time.perf_counter() - begun)


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--schedules", type=int, default=200)
    parser.add_argument("--reminders", type=int, default=1_000)
    parser.add_argument("--idle", type=float, default=60.0)
    given = parser.parse_args()
    logging.disable(logging.ERROR)  # of clocks that jump and runs that are struck, as is meant here
    figures = Figures()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        await year(figures, folder, given.days, given.seed, given.schedules, given.reminders)
        await idle(figures, folder, given.idle)
    return figures.close()


if __name__ == "__main__":
    sys.exit(uvloop.run(main()))
