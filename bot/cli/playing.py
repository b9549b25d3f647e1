"""Plays the plays of skills: a scripted model in the real program, on a home made for that.

A play proves that people's words find its skill, that the role has the tools (or the skill says
what to do without), that the steps can be taken, and that the answer holds what it must.
"""

import asyncio
import contextlib
import json
import re
import shutil
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.app import App, AppOptions, open_app
from bot.cli.play_stage import PLATFORM, REAL_PATIENCE_S, PlayChat, PlayClock, PlayModel
from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage, PlatformPerson
from bot.domain.models import Model
from bot.domain.origins import Origin, Trust
from bot.domain.skills import Skill
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.work import MessageWork
from bot.llm.blocks import blocks_of
from bot.llm.plain_blocks import result_text
from bot.sessions.records.envelope import incoming_to_json
from bot.shipped import shipped_dir
from bot.skills.play_file import (
    BELLHOP,
    PERSON,
    Play,
    PlayCall,
    PlayCost,
    PlayReply,
    PlayTurn,
    PlayVerdict,
)
from bot.tools.toolset.toolset import Toolset

FOUND_AMONG = 3
"""What the person asks brings the skill first, or a search for it finds it among so many."""
_TOOL = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_WITHOUT = re.compile(
    r"\b(?:without|(?:isn't|not) there|is missing|(?:there is|you have) no|lacks?|is none)\b",
    re.IGNORECASE,
)
"""What a skill's own author writes of a tool that a home may lack. It decides nothing else."""


@dataclass(frozen=True)
class Scene:
    """One play of one skill."""

    skill: Skill
    body: str
    play: Play

    @property
    def name(self) -> str:
        return self.skill.name

    @property
    def person(self) -> PlatformPerson:
        return PlatformPerson(self.name, "Ann")

    @property
    def colleagues(self) -> set[str]:
        names = {who for line in self.play.given.history for who in line}
        return names - {PERSON, BELLHOP}


@dataclass
class Performance:
    """What a play came to."""

    answers: list[str] = field(default_factory=list[str])
    results: list[str] = field(default_factory=list[str])
    """Of tools."""
    called: list[str] = field(default_factory=list[str])
    problems: list[str] = field(default_factory=list[str])


class Stage:
    """A running program with nobody in it but the people of plays."""

    def __init__(self, app: App, chat: PlayChat, model: PlayModel, stood_in: "_StandIns") -> None:
        self._app = app
        self._chat = chat
        self._model = model
        self._stood_in = stood_in

    async def play(self, scene: Scene) -> list[str]:
        """What is wrong with the skill or its play, a sentence each."""
        self._stood_in.answers = scene.play.given.tools
        outcome = Performance()
        try:
            await self._prepare(scene, outcome)
            if outcome.problems:
                return outcome.problems
            first = self._line(scene, scene.play.asked)
            outcome.problems += await self._found(scene, first)
            for number, turn in enumerate(scene.play.turns):
                replies = [*([] if number else [_reading(scene)]), *turn.replies]
                await self._turn(scene, PlayTurn(asked=turn.asked, replies=replies), outcome)
        except TimeoutError:
            left = f"{self._model.left} of its replies were not asked for"
            return [*outcome.problems, f"a turn did not end; {left}"]
        return [*outcome.problems, *_judged(scene.play, outcome)]

    async def play_really(self, scene: Scene) -> tuple[Performance, list[str]]:
        """The play with the real model: what it said and called, and what its result lacks."""
        self._stood_in.answers = scene.play.given.tools
        outcome = Performance()
        await self._prepare(scene, outcome)
        for turn in scene.play.turns:
            posts, ended = len(self._chat.posts), self._chat.ended
            self._model.set(())
            self._model.by_real = True
            await self._app.accept(self._line(scene, turn.asked))
            await self._chat.until_answered(posts, ended, REAL_PATIENCE_S)
            self._model.by_real = False
            outcome.answers += [post.text for post in self._chat.posts[posts:]]
            outcome.results += [result_text(block) for block in _results(self._model)]
        return outcome, [*outcome.problems, *_judged(scene.play, outcome)]

    @property
    def cost(self) -> PlayCost:
        """What the real model has cost so far."""
        return PlayCost(calls=self._model.calls, bytes=self._model.bytes)

    async def _prepare(self, scene: Scene, outcome: Performance) -> None:
        """What is there before, made by calls in a place beside, and the messages before."""
        given = scene.play.given
        files = [
            PlayCall.model_validate({"call": "write_file", "with": {"path": path, "content": text}})
            for path, text in given.files.items()
        ]
        before = Performance()
        for one in (*files, *given.calls):
            replies = [PlayReply(calls=[one]), PlayReply(say="Noted.")]
            await self._turn(scene, PlayTurn(asked="please", replies=replies), before, before=True)
        outcome.problems += [f"given: {problem}" for problem in before.problems]
        lines = [pair for line in given.history for pair in line.items()]
        for number, (who, text) in enumerate(lines):
            following = lines[number + 1] if number + 1 < len(lines) else ("", "")
            if who == PERSON and following[0] == BELLHOP:
                said = PlayTurn(asked=text, replies=[PlayReply(say=following[1])])
                await self._turn(scene, said, Performance())
            elif who != BELLHOP:
                person = scene.person if who == PERSON else PlatformPerson(_id(who), who)
                await self._app.accept(self._chat.line(person, text, scene.name, "aside"))

    async def _turn(
        self, scene: Scene, turn: PlayTurn, outcome: Performance, *, before: bool = False
    ) -> None:
        """One message of the person, and what comes of it."""
        posts, ended = len(self._chat.posts), self._chat.ended
        self._model.set(turn.replies)
        message = self._line(scene, turn.asked, before=before)
        await self._app.accept(message)
        await self._chat.until_answered(posts, ended)
        outcome.answers += [post.text for post in self._chat.posts[posts:]]
        outcome.called += [one.call for reply in turn.replies for one in reply.all_calls]
        seen = set[str]()
        for block in _results(self._model):
            if (ident := str(block.get("tool_use_id"))) in seen:
                continue
            seen.add(ident)
            text = result_text(block)
            outcome.results.append(text)
            if block.get("is_error"):
                outcome.problems.append(f"a call failed: {text[:300]}")
        if self._model.beyond:
            outcome.problems.append("the model was asked again after its last reply")
        if self._model.left:
            outcome.problems.append(f"{self._model.left} replies were not asked for")

    def _line(self, scene: Scene, text: str, *, before: bool = False) -> IncomingMessage:
        place = scene.play.given.place
        return self._chat.line(scene.person, text, scene.name, place, before=before)

    async def _found(self, scene: Scene, message: IncomingMessage) -> Iterable[str]:
        person = self._app.contacts.resolve(PLATFORM, scene.name, scene.person)
        work = MessageWork(incoming_to_json(message))
        toolset = (await self._app.house.resolver.resolve(work, message, person)).toolset()
        return [*_search_problems(scene, toolset), *self._tool_problems(scene, toolset)]

    def _tool_problems(self, scene: Scene, toolset: Toolset) -> Iterator[str]:
        """Tools that the skill names and this role lacks here, without a word of what then."""
        catalog = self._app.house.tooling.catalog
        for name in dict.fromkeys(_TOOL.findall(scene.body)):
            if not catalog.anywhere(name) or toolset.find(name) is not None:
                continue
            if not any(name in line and _WITHOUT.search(line) for line in scene.body.split("\n")):
                role = scene.play.given.role
                yield f"it names {name}, which a {role} lacks in a new home, and not what then"


def _search_problems(scene: Scene, toolset: Toolset) -> Iterator[str]:
    if not scene.skill.auto_invoke:
        return
    best = toolset.fitting_skill(scene.play.asked)
    if best is not None and best.name == scene.name:
        return
    found = toolset.search(None, scene.play.asked)
    names = [hit.name for hit in found.hits][:FOUND_AMONG]
    if scene.name not in names:
        first = ", ".join(names) or "nothing"
        yield f"a search for {scene.play.asked!r} finds {first}; add what people say to its words"


def _reading(scene: Scene) -> PlayReply:
    given = {"path": scene.skill.path}
    return PlayReply(calls=[PlayCall.model_validate({"call": "read_file", "with": given})])


def _results(model: PlayModel) -> Iterator[JsonObject]:
    """The results in what the model read in this turn: behind the person's newest message."""
    for request in model.requests[1:]:
        for message in request.messages[-3:]:
            for block in blocks_of(message):
                if block.get("type") == "tool_result":
                    yield block


def _judged(play: Play, outcome: Performance) -> Iterator[str]:
    said, done = "\n".join(outcome.answers), "\n".join(outcome.results)
    wanted = play.result
    for text in wanted.has:
        if text.casefold() not in said.casefold():
            yield f"the answer lacks {text!r}"
    for text in wanted.lacks:
        if text.casefold() in said.casefold():
            yield f"the answer has {text!r}"
    for text in wanted.done:
        if text.casefold() not in done.casefold():
            yield f"no tool's result has {text!r}"
    allowed = {"read_file", "read_skill", *wanted.calls}
    for name in dict.fromkeys(outcome.called):
        if name not in allowed:
            yield f"{name} is called, but result.calls does not name it"


def verdict_problems(play: Play) -> Iterator[str]:
    """Why the skill may not ship."""
    if play.played is None:
        yield "it was never really played: fill in played:"
    elif play.played.verdict is not PlayVerdict.KEPT:
        yield f"its verdict is {play.played.verdict}, so remove it"


# --- the stage ---


class _StandIns:
    """Tools of the world outside, which answer what the present play says."""

    def __init__(self) -> None:
        self.answers: Mapping[str, str] = {}

    def of(self, tool: NativeTool[Any]) -> NativeTool[Any]:
        async def run(context: ToolContext, given: Any) -> ToolResult:
            text = self.answers.get(tool.name, "")
            return ToolResult(text, origin=Origin(Trust.EXTERNAL, tool.name))

        return NativeTool(tool.name, tool.arguments, run, pure=True, reads=tool.reads)


@asynccontextmanager
async def open_stage(
    home: Path, scenes: Sequence[Scene], real: Model | None = None
) -> AsyncGenerator[Stage]:
    """A program on `home`, an empty folder, that knows the people of these plays."""
    people = _people(scenes)
    await asyncio.to_thread((home / "contacts.yaml").write_text, json.dumps(people))
    await asyncio.to_thread(_take_along, home, scenes)
    clock, model = PlayClock(), PlayModel(real)
    chat = PlayChat(clock)
    async with open_app(AppOptions(home, [chat], model, clock)) as app:
        stood_in = _StandIns()
        _stand_in(app, stood_in, {name for scene in scenes for name in scene.play.given.tools})
        running = asyncio.create_task(app.run(), name="app")
        try:
            yield Stage(app, chat, model, stood_in)
        finally:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running


def _take_along(home: Path, scenes: Sequence[Scene]) -> None:
    """Copy the skills that don't ship, but those that this home has or switches off itself."""
    for scene in scenes:
        source, place = scene.skill.source, home / "skills" / scene.name
        if source is None or source.is_relative_to(shipped_dir("skills")) or place.exists():
            continue
        shutil.copytree(source.parent, place)


def _stand_in(app: App, stood_in: _StandIns, names: set[str]) -> None:
    natives = app.house.tooling.natives
    natives.stand_in(*(stood_in.of(tool) for tool in natives.tools if tool.name in names))


def _people(scenes: Sequence[Scene]) -> list[dict[str, object]]:
    asking: list[dict[str, object]] = [
        {
            "id": f"ann-{scene.name}",
            "name": "Ann",
            "role": str(scene.play.given.role),
            "ids": {PLATFORM: [scene.name]},
        }
        for scene in scenes
    ]
    others = sorted({name for scene in scenes for name in scene.colleagues})
    return [
        *asking,
        *(
            {
                "id": _id(name),
                "name": name,
                "role": str(Role.FRIEND),
                "ids": {PLATFORM: [_id(name)]},
            }
            for name in others
        ),
    ]


def _id(name: str) -> str:
    return f"colleague-{name.casefold().replace(' ', '-')}"
