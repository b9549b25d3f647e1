"""Everything that people and platforms do, in any order and at once, with crashes.

Two people write on two platforms, change and take back what they wrote, click, answer, stop and
begin anew; events come twice or late, sends fail. In the end each accepted message is settled once
and answered at most once, in its place and in order. Nobody's words are in a request for somebody
else, a card decides once, and nothing is left to send.
"""

import asyncio
import itertools
import json
import logging
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.domain.messages import (
    Action,
    Addressed,
    Command,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    Place,
    PlatformPerson,
    ReplyTarget,
)
from bot.domain.models import ModelDelta, ModelReply, ModelRequest
from bot.errors import DeliveryError
from bot.testing.app_lives import PATIENCE_S, AppLife, AppLives
from bot.testing.crash_points import CrashPoint, Moment, ProcessGone
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import run_ready, settle
from bot.testing.plan_model import PlanModel, PlanStep, begun_plan
from bot.testing.scripted_model import call, say
from bot.testing.tools import NO_SANDBOX
from tests.thoroughness import is_thorough

PEOPLE = ("p0", "p1")
PLACES = {"dm": Place.DM, "room": Place.CHANNEL, "thread": Place.THREAD}
SECRET = re.compile(r"zq-(p\d)-\w+")
STAMP = """\
# stamp

## Description
Stamp something when somebody asks for it.

## Parameters
{"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}

## Access
Guest+

## Risk
external-write

## Implementation
shell: stamp.sh
"""
PLANS: dict[str, Callable[[str], Sequence[PlanStep]]] = {
    "say": lambda _: [],
    "look": lambda _: [call("current_time", {})],
    "send": lambda name: [call("send", {"text": f"sent {name}"})],
    "ask": lambda name: [call("ask_user_for_clarification", {"question": f"question {name}?"})],
    "choose": lambda name: [
        call(
            "ask_user_for_clarification",
            {"question": f"question {name}?", "options": ["red", "blue"]},
        )
    ],
    "stamp": lambda name: [
        call("tool_search", {"pattern": "stamp"}),
        call("stamp", {"what": name}),
    ],
}


@dataclass(frozen=True)
class Act:
    """Something that happens. `pick` chooses among what is there: messages, choices."""

    kind: str
    person: int = 0
    platform: int = 0
    where: str = "dm"
    plan: str = "say"
    pick: int = 0
    rest: int = 0
    """Rounds of the loop that go by afterwards; a thousand: everything is settled first."""


_KINDS = (
    "say",
    "say",
    "say",
    "say",
    "edit",
    "delete",
    "again",
    "click",
    "click",
    "words",
    "stop",
    "new",
    "fail",
    "pause",
)
acts = st.builds(
    Act,
    st.sampled_from(_KINDS),
    st.integers(0, 1),
    st.integers(0, 1),
    st.sampled_from(list(PLACES)),
    st.sampled_from(list(PLANS)),
    st.integers(0, 30),
    st.sampled_from([0, 1, 5, 20, 60, 200, 1000, 1000]),
)
crashes = st.lists(st.builds(CrashPoint, st.integers(1, 60), st.sampled_from(Moment)), max_size=2)


class SlowModel(PlanModel):
    """Others get on while it thinks."""

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        await run_ready(15)
        return await super().sample(request, on_delta)


@dataclass
class Said:
    """A message of the story.

    `changed`: somebody did something that may leave it without an answer of its own.
    """

    name: str
    plan: str
    message: IncomingMessage
    changed: bool = False


@dataclass
class Storm:
    """The story as it happens."""

    lives: AppLives
    said: list[Said] = field(default_factory=list[Said])
    failing: Counter[str] = field(default_factory=Counter[str])
    number: int = 0

    @classmethod
    def over(cls, home: Path) -> "Storm":
        storm = cls(AppLives(home, FakeChat("discord"), FakeChat("slack")))
        for chat in storm.lives.chats:
            chat.refuse = storm._refuse
        return storm

    def _refuse(self, message: OutgoingMessage) -> DeliveryError | None:
        self.lives.alive()
        platform = message.target.conversation.platform
        if not self.failing[platform]:
            return None
        self.failing[platform] -= 1
        return DeliveryError("down", retryable=True)

    def message(self, act: Act, text: str, key: str) -> IncomingMessage:
        chat = self.lives.chats[act.platform]
        return chat.message(
            PEOPLE[act.person], text, where=act.where, place=PLACES[act.where], key=key
        )

    def happens(self, act: Act) -> IncomingMessage | None:
        """The event of an act, if it has one."""
        self.number += 1
        key = f"{self.lives.chats[act.platform].platform}:{self.number}"
        match act.kind:
            case "say":
                return self._say(act, key)
            case "words":
                return self._noted(act, self.message(act, f"these words {self.number}", key))
            case "stop" | "new":
                text = self.message(act, f"!{act.kind}", key)
                return self._noted(act, _command(text, act.kind))
            case "edit" | "delete" | "again" if self.said:
                return self._again(act, self.said[act.pick % len(self.said)])
            case "click":
                return self._click(act, key)
            case "fail":
                self.failing[self.lives.chats[act.platform].platform] += 1 + act.pick % 3
            case _:
                pass
        return None

    def _say(self, act: Act, key: str) -> IncomingMessage:
        name = f"e{self.number}"
        secret = f" zq-{PEOPLE[act.person]}-{name}" if act.where == "dm" else ""
        message = self.message(act, f"do:{name}{secret}", key)
        self.said.append(Said(name, act.plan, message))
        return message

    def _noted(self, act: Act, message: IncomingMessage) -> IncomingMessage:
        """What is in the same session may end, or be about something else, from now on."""
        for said in self.said:
            if (
                said.message.conversation == message.conversation
                and said.message.sender == message.sender
            ):
                said.changed = True
        return message

    def _again(self, act: Act, said: Said) -> IncomingMessage:
        if act.kind == "again":
            return said.message
        said.changed = True
        if act.kind == "delete":
            key = f"delete:{said.message.key}:0"
            nobody = PlatformPerson("0", "somebody")
            return replace(
                said.message,
                kind=MessageKind.DELETE,
                key=key,
                sender=nobody,
                addressed=Addressed.NONE,
            )
        key = f"edit:{said.message.key}:{self.number}"
        return replace(
            said.message, kind=MessageKind.EDIT, key=key, text=f"{said.message.text} (changed)"
        )

    def _click(self, act: Act, key: str) -> IncomingMessage | None:
        offered = [(post, choice) for post in self.posts for choice in post.choices]
        if not offered:
            return None
        post, choice = offered[act.pick % len(offered)]
        conversation = post.target.conversation
        plain = self.message(act, "", key)
        clicked = replace(
            plain,
            kind=MessageKind.ACTION,
            action=Action(choice.ref, choice.verb, choice.value),
            addressed=Addressed.COMMAND,
        )
        private = conversation.place is Place.DM
        return self._noted(
            act,
            replace(
                clicked,
                conversation=conversation,
                reply_to=ReplyTarget(conversation),
                private=private,
            ),
        )

    @property
    def posts(self) -> list[OutgoingMessage]:
        return [post.message for chat in self.lives.chats for post in chat.posts]


def _command(message: IncomingMessage, name: str) -> IncomingMessage:
    return replace(
        message, kind=MessageKind.COMMAND, command=Command(name, ""), addressed=Addressed.COMMAND
    )


def furnish(home: Path) -> None:
    (home / "bellhop.yaml").write_text(NO_SANDBOX + "access: {default_role: Friend}\n")
    ids = [
        f'- {{id: {who}, name: Sam, role: Friend, ids: {{discord: ["{who}"]}}}}' for who in PEOPLE
    ]
    (home / "contacts.yaml").write_text("\n".join(ids) + "\n")
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "stamp.md").write_text(STAMP)
    (folder / "stamp.sh").write_text(
        f'cat >> "{home}/stamps.txt"; echo >> "{home}/stamps.txt"; echo stamped'
    )


async def calm(life: AppLife, storm: Storm) -> None:
    """Until nothing goes on: all is settled or waits for somebody, and everything is sent."""
    async with asyncio.timeout(PATIENCE_S):
        while not await is_calm(life):
            await storm.lives.clock.advance(0.01 if life.app.engine.busy else 1.0)


async def is_calm(life: AppLife) -> bool:
    await settle()
    life.database.alive()
    if life.app.engine.busy:
        return False
    rows = await life.database.read(
        # behind a question the rest of its session waits as well
        "SELECT 1 FROM inbox WHERE settled_at IS NULL"
        " AND session NOT IN (SELECT session FROM inbox WHERE state = 'waiting')"
        " UNION ALL SELECT 1 FROM outbox WHERE state = 'pending'"
    )
    return not rows


async def tell(
    storm: Storm, model: PlanModel, story: Sequence[Act], points: Sequence[CrashPoint]
) -> None:
    done = 0
    waiting: IncomingMessage | None = None
    for point in (*points, None):
        model.restarted()
        async with storm.lives.life(model, point) as life:
            while done < len(story):
                act = story[done]
                waiting = waiting or storm.happens(act)
                if waiting is not None:  # comes again when the process went before it was taken
                    await storm.lives.chats[0].deliver(waiting)
                    waiting = None
                done += 1
                if act.kind == "pause":  # longer than a run may take, so none runs
                    await calm(life, storm)
                    await storm.lives.clock.advance(60.0 * (1 + act.pick))
                await (calm(life, storm) if act.rest == 1000 else run_ready(act.rest))
                life.database.alive()
            storm.failing.clear()
            await calm(life, storm)
            if point is None:
                await last_words(storm, life)


async def last_words(storm: Storm, life: AppLife) -> None:
    """Questions that are still open are answered, and everybody hears of it."""
    used = list(
        dict.fromkeys((said.message.conversation, said.message.sender) for said in storm.said)
    )
    while await life.database.read("SELECT 1 FROM inbox WHERE state = 'waiting'"):
        for conversation, sender in used:
            storm.number += 1
            plain = storm.message(
                Act("say"), f"these words {storm.number}", f"{conversation.platform}:{storm.number}"
            )
            target = ReplyTarget(conversation)
            last = replace(plain, conversation=conversation, sender=sender, reply_to=target)
            await storm.lives.chats[0].deliver(last)
        await calm(life, storm)


class Unforeseen(logging.Handler):
    """Tracebacks that somebody would find in the log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, ProcessGone):
            self.found.append(f"{record.getMessage()}: {error!r}")


async def check(story: Sequence[Act], points: Sequence[CrashPoint]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        furnish(home)
        storm, unforeseen = Storm.over(home), Unforeseen()
        plans: dict[str, Sequence[PlanStep]] = {
            f"e{number}": (*PLANS[act.plan](f"e{number}"), say(f"answer e{number}"))
            for number, act in enumerate(story, start=1)
        }
        # Every answer is its own: sessions that went on alike could not be told apart.
        answers = itertools.count(1)
        model = SlowModel(plans, otherwise=lambda _request: f"Well, {next(answers)}.")
        logging.getLogger("bot").addHandler(unforeseen)
        try:
            await tell(storm, model, story, points)
        finally:
            logging.getLogger("bot").removeHandler(unforeseen)
        assert unforeseen.found == []
        nobody_reads_what_others_said(model)
        stamps = (
            (home / "stamps.txt").read_text().split("\n") if (home / "stamps.txt").exists() else []
        )
        assert all(count == 1 for line, count in Counter(stamps).items() if line), stamps
        answers_are_right(storm, works_at_the_end(home))


def nobody_reads_what_others_said(model: PlanModel) -> None:
    for request in model.requests:
        sent = json.dumps([request.system, request.tools, request.messages])
        owners = {found.group(1) for found in SECRET.finditer(sent)}
        assert len(owners) <= 1, (owners, begun_plan(request.messages))


@dataclass(frozen=True)
class Work:
    """A row of the inbox."""

    id: int
    session: str
    state: str


def works_at_the_end(home: Path) -> dict[str, Work]:
    """All accepted work by key; nothing of it is open, and nothing is left to send."""
    with closing(sqlite3.connect(home / "data" / "bellhop.db")) as database:
        rows = database.execute("SELECT key, id, session, state FROM inbox").fetchall()
        open_ = database.execute(
            "SELECT key FROM inbox WHERE settled_at IS NULL OR state = 'failed'"
        ).fetchall()
        # What housekeeping says may come at the very end, for the next process to send.
        unsent = database.execute(
            "SELECT key FROM outbox WHERE state <> 'sent' AND key GLOB 't[0-9]*'"
        ).fetchall()
    assert (open_, unsent) == ([], [])
    return {key: Work(*work) for key, *work in rows}


def answers_are_right(storm: Storm, works: dict[str, Work]) -> None:
    """Each message has one ordered answer, or none if it or its session was interfered with."""
    posts = storm.posts
    steered = {work.session for work in works.values() if work.state == "joined"}
    order: dict[str, list[tuple[int, int]]] = {}
    for said in storm.said:
        work = works[said.message.key]
        answers = [at for at, post in enumerate(posts) if post.text == f"answer {said.name}"]
        # Recorded: its words were the answer to a question.
        excused = said.changed or work.state == "recorded" or work.session in steered
        assert len(answers) == 1 or (excused and not answers), (
            said.name,
            said,
            work,
            [post.text for post in posts],
        )
        for at in answers:
            assert posts[at].target.conversation == said.message.conversation, said
            order.setdefault(work.session, []).append((work.id, at))
    for session, answered in order.items():
        in_order = [at for _, at in sorted(answered)]
        assert in_order == sorted(in_order), (session, posts)


# A story is told as it was found: to make it shorter takes minutes, and leaves others by the way.
@settings(
    max_examples=20 if is_thorough() else 8,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
)
@given(st.lists(acts, min_size=4, max_size=16), crashes)
@pytest.mark.slow
def test_each_message_is_settled_once(story: Sequence[Act], points: Sequence[CrashPoint]):
    asyncio.run(check(story, points))
