"""Where plug-ins hand in drafts: they are read and audited, and staged for a MasterAdmin's yes."""

import asyncio
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.clock import format_utc
from bot.domain.access import Person
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.tool_context import ToolContext
from bot.domain.tools import HttpImplementation, ShellImplementation, ToolDefinition
from bot.errors import ToolError, raised_as
from bot.regular_file import read_regular_file
from bot.skills.skill_file import SKILL_FILE
from bot.tools.catalog.catalog import MRTOOL, STAGING
from bot.tools.toolset.run_rules import AGENT_PREFIX
from bot.workshop.drafts.checks import (
    check_readable,
    findings_of,
    forbidden,
    play_problems,
    read_tool,
    risky,
    roles_of,
)
from bot.workshop.drafts.draft import Draft, DraftKind
from bot.workshop.drafts.trial import DraftTrials, TrialResult
from bot.workshop.review.desk import ImportDesk
from bot.workshop.review.names import Names, clash
from bot.workshop.review.provenance import MADE, ImportProvenance, digest
from bot.workshop.review.staging import NotReviewed, Package

DRAFT_NAME = re.compile(r"[a-z][a-z0-9_]{1,49}")
_FOLDER = re.compile(r"[a-z][a-z0-9_-]{0,49}")


class NotHandedIn(ToolError):
    """Nothing is staged under a name, or it can't become live."""


@dataclass(frozen=True)
class DraftSummary:
    """What an approval card says of a draft."""

    risk: str
    """That of a tool, else `none`."""
    does: str
    """Its request, or its script and what that may use."""
    findings: int
    """How many the audit has; none of them blocks."""


@dataclass(frozen=True)
class HandedIn:
    """What is staged, or live."""

    name: str
    roles: str
    content: str
    """One hash over everything that would become live."""
    made: bool
    """Whether it is a draft of a plug-in; else it was imported."""
    receipt: JsonObject
    """What was handed in with it."""


class DraftDesk:
    """Raises ToolError with what the caller can do."""

    def __init__(
        self, home: Path, names: Names, desk: ImportDesk, trials: DraftTrials, clock: Clock
    ) -> None:
        self._home = home
        self._names = names
        self._desk = desk
        self._trials = trials
        self._clock = clock

    # --- drafts ---

    async def fit(self, draft: Draft, person: Person, *, update: bool) -> Draft:
        """The draft with the hashes of what it would replace; nothing is kept of it.

        Raises ToolError for a name or folder that can't be used, roles that the person can't give,
        and files that can't be read. `update`: it changes what is live in this home.
        """
        if not DRAFT_NAME.fullmatch(draft.name):
            raise ToolError("name: use 2 to 50 characters a-z, 0-9 and _, with a letter first")
        if not _FOLDER.fullmatch(draft.folder) or draft.folder in {MRTOOL, STAGING}:
            raise ToolError(
                "folder: use shared, planner, subagents or an agent's name; never mrtool or "
                "readytools"
            )
        roles_of(draft.roles, person)
        check_readable(draft)
        await self._names.fresh()
        fitting = replace(draft, live=await self._live(draft) if update else {})
        self._must_be_free(fitting, update=update)
        return fitting

    def check_readable(self, draft: Draft) -> None:
        """Parse the draft as it would be parsed when live. Raises ToolError, naming the line."""
        check_readable(draft)

    def problems(self, draft: Draft) -> Sequence[str]:
        """What would block a skill, and what is wrong with its play, a sentence each."""
        catalog = self._names.catalog
        played = play_problems(
            draft, lambda name: name.startswith(AGENT_PREFIX) or bool(catalog.anywhere(name))
        )
        return [*forbidden(draft), *played]

    def summary(self, draft: Draft) -> DraftSummary:
        """What a card says of a readable draft."""
        definition = read_tool(draft) if draft.kind is DraftKind.TOOL else None
        return DraftSummary(
            str(definition.risk or "none") if definition else "none",
            _does(definition) if definition else "text for agents",
            len(findings_of(draft)),
        )

    async def try_tool(
        self, draft: Draft, calls: Sequence[JsonObject], context: ToolContext
    ) -> Sequence[TrialResult]:
        """What calls of the tool with these arguments give.

        Its script runs in the sandbox, without the network; a request is shown and not sent.
        """
        return await self._trials.run(draft, calls, context)

    def _must_be_free(self, draft: Draft, *, update: bool) -> None:
        own = draft.name
        exists = bool(self._names.catalog.anywhere(own)) or own in {*self._names.of_skills("")}
        if exists and not update:
            raise ToolError(clash(own, [own]) or "")
        taken = {*self._names.tools(own), *self._names.of_skills(own)}
        if problem := clash(own, taken):
            raise ToolError(problem)

    async def _live(self, draft: Draft) -> dict[str, str]:
        """Hashes of what an update would replace.

        Raises ToolError for what ships or came from elsewhere.
        """
        if draft.kind is DraftKind.TOOL:
            self._must_be_changeable(draft)
            root = self._home / "prompts" / "tools" / draft.folder
        else:
            root = self._home / "skills"
        place = root / draft.name if draft.kind is DraftKind.SKILL else root
        found = await asyncio.to_thread(_hashes, place, tuple(draft.files))
        if draft.main_file not in found:
            raise ToolError(
                f"there is no {draft.kind} {draft.name} in this home that could be changed; make a "
                "new one"
            )
        if draft.kind is DraftKind.SKILL and await asyncio.to_thread(_has_more, place, draft.files):
            raise ToolError(
                f"{draft.name} has further files, which an update would lose; an operator has to "
                "do it"
            )
        return found

    def _must_be_changeable(self, draft: Draft) -> None:
        for definition in self._names.catalog.anywhere(draft.name):
            if not isinstance(definition.implementation, ShellImplementation | HttpImplementation):
                raise ToolError(f"{draft.name} is built in; it can't be changed here")
            if definition.folder != draft.folder:
                raise ToolError(
                    f"{draft.name} is in the folder {definition.folder}; name that as `folder`"
                )

    # --- handing in ---

    async def stage(
        self,
        draft: Draft,
        context: ToolContext,
        source: str,
        receipt: Callable[[], JsonObject],
        *,
        lacking: Sequence[str] = (),
    ) -> HandedIn:
        """Stage a draft that passes everything, with where it comes from and a receipt for it.

        Raises ToolError with every problem, one a line; `lacking` are further ones.
        """
        await self._names.fresh()
        if problems := [*self._obstacles(draft, context.person), *lacking]:
            raise ToolError(
                "\n".join(
                    [f"{draft.name} is not staged:", *(f"- {problem}" for problem in problems)]
                )
            )
        package = self._package(draft, context, source, receipt())
        with raised_as(ToolError, NotReviewed, about=f"{draft.name} is not staged"):
            await self._desk.stage_made(package)
        await self._names.fresh()
        return _handed_in(package.provenance)

    def _obstacles(self, draft: Draft, person: Person) -> list[str]:
        problems: list[str] = []
        try:
            roles_of(draft.roles, person)
            check_readable(draft)
            self._must_be_free(draft, update=bool(draft.live))
            if draft.kind is DraftKind.TOOL and (problem := risky(read_tool(draft))):
                problems.append(problem)
        except ToolError as error:
            problems.append(str(error))
        return [*problems, *forbidden(draft)]

    def _package(
        self, draft: Draft, context: ToolContext, source: str, receipt: JsonObject
    ) -> Package:
        data = {name: text.encode() for name, text in draft.files.items()}
        tool = draft.kind is DraftKind.TOOL
        scripts = {draft.script: data[draft.script]} if draft.script else {}
        tools = {draft.name: data[draft.main_file]} if tool else {}
        provenance = ImportProvenance(
            name=draft.name,
            given_name=draft.name,
            source=source,
            kind=MADE,
            format=MADE,
            part="",
            commit=None,
            content=draft.content,
            files={} if tool else draft.digests(*draft.files),
            tools={name: digest(text) for name, text in tools.items()},
            roles=draft.roles,
            imported_at=format_utc(self._clock.now()),
            imported_by=context.person.id,
            findings=findings_of(draft),
            x_source={"receipt": receipt},
            command=draft.command,
            folder=draft.folder,
            scripts={name: digest(text) for name, text in scripts.items()},
            manifest=draft.main_file if draft.kind is DraftKind.MANIFEST else "",
            replaces=dict(draft.live),
        )
        return Package(provenance, {} if tool else data, tools, scripts)

    async def staged(self, name: str) -> HandedIn:
        """What waits under a name. Raises NotHandedIn."""
        with raised_as(NotHandedIn, NotReviewed):
            return _handed_in(await self._desk.find(name))

    async def live(self, name: str) -> HandedIn | None:
        """What was staged under a name and is live."""
        found = await self._desk.live(name)
        return None if found is None else _handed_in(found)

    async def release(self, person: Person, name: str, content: str) -> HandedIn:
        """Make live what a MasterAdmin has said yes to, if that is still its content.

        Raises NotHandedIn, and NotAllowed for anybody else.
        """
        with raised_as(NotHandedIn, NotReviewed):
            return _handed_in(await self._desk.approve(person, name, content=content))


def _handed_in(one: ImportProvenance) -> HandedIn:
    receipt = one.x_source.get("receipt") if one.made else None
    return HandedIn(one.name, one.roles, one.content, one.made, dict(receipt or {}))


def _does(definition: ToolDefinition) -> str:
    match definition.implementation:
        case HttpImplementation(method, url):
            return f"{method} {url}"
        case ShellImplementation(script, network, reads):
            more = [*(["network"] if network else []), *(f"reads {path}" for path in reads)]
            return ", ".join([f"script {script.name}", *more])
        case _:
            return "nothing"


def _hashes(place: Path, files: Sequence[str]) -> dict[str, str]:
    return {
        name: digest(read_regular_file(place / name)) for name in files if (place / name).is_file()
    }


def _has_more(place: Path, known: Container[str]) -> bool:
    return any(
        path.name != SKILL_FILE and path.name not in known and not path.name.startswith(".")
        for path in place.iterdir()
    )
