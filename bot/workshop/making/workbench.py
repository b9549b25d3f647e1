"""mrtool's workbench: draft, test, validate and stage, release; serial per person."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.clock import format_utc
from bot.domain.access import Access, Person, Role
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.tool_context import ToolContext
from bot.domain.tools import HttpImplementation, ShellImplementation, ToolDefinition
from bot.errors import ToolError
from bot.regular_file import read_regular_file
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.skills.skill_file import SKILL_FILE
from bot.tools.catalog.catalog import MRTOOL, STAGING, ToolCatalog
from bot.tools.toolset.run_rules import AGENT_PREFIX
from bot.workshop.importing import desk_words
from bot.workshop.importing.desk import ImportDesk
from bot.workshop.importing.provenance import MADE, ImportProvenance, digest
from bot.workshop.importing.staging import NotReviewed, Package
from bot.workshop.making.draft import (
    NAME,
    Draft,
    Drafts,
    Kind,
    clash,
    findings_of,
    forbidden,
    main_file,
    risky,
)
from bot.workshop.making.trial import DraftTrials, Trial
from bot.workshop.making.writing import check_readable, play_problems, read_tool, roles_of

_FOLDER = re.compile(r"[a-z][a-z0-9_-]{0,49}")


@dataclass(frozen=True)
class Names:
    """The names in use, read each time."""

    catalog: ToolCatalog
    skills: SkillLibrary
    manifests: SkillManifests

    async def fresh(self) -> None:
        await self.catalog.reload_changed()
        await self.skills.reload_changed()
        await self.manifests.reload_changed()

    def tools(self, but: str) -> Iterable[str]:
        """Names and aliases of tools, staged ones too; of that one itself none."""
        live = (tool.definition for tool in self.catalog.snapshot.tools)
        for definition in (*live, *self.catalog.staged):
            if definition.name != but:
                yield from (definition.name, *definition.aliases)

    def of_skills(self, but: str) -> Iterable[str]:
        yield from (skill.name for skill in self.skills.all() if skill.name != but)
        yield from (one.skill_id for one in self.manifests.all() if one.skill_id != but)


class Workbench:
    """Prepares drafts for the decision of a MasterAdmin.

    Everything raises ToolError with what the agent can do.
    """

    def __init__(
        self, home: Path, names: Names, desk: ImportDesk, trials: DraftTrials, clock: Clock
    ) -> None:
        self._home = home
        self._names = names
        self._desk = desk
        self._trials = trials
        self._clock = clock
        self._drafts = Drafts(home)
        desk.judge = still_free(names)

    # --- draft ---

    async def draft(self, draft: Draft, person: Person, *, update: bool) -> Draft:
        """Store a draft, which replaces an earlier one of the same name."""
        if not NAME.fullmatch(draft.name):
            raise ToolError("name: use 2 to 50 characters a-z, 0-9 and _, with a letter first")
        if not _FOLDER.fullmatch(draft.folder) or draft.folder in {MRTOOL, STAGING}:
            raise ToolError(
                "folder: use shared, planner, subagents or an agent's name; never mrtool or "
                "readytools"
            )
        roles_of(draft.roles, person)
        check_readable(draft)
        await self._names.fresh()
        kept = replace(draft, live=await self._live(draft) if update else {})
        self._must_be_free(kept, update=update)
        await asyncio.to_thread(self._drafts.put, kept)
        return kept

    async def find(self, name: str) -> Draft:
        return await asyncio.to_thread(self._drafts.get, name)

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
        if draft.kind is Kind.TOOL:
            self._must_be_changeable(draft)
            root = self._home / "prompts" / "tools" / draft.folder
        else:
            root = self._home / "skills"
        place = root / draft.name if draft.kind is Kind.SKILL else root
        found = await asyncio.to_thread(_hashes, place, tuple(draft.files))
        main = main_file(draft.kind, draft.name)
        if main not in found:
            raise ToolError(
                f"there is no {draft.kind} {draft.name} in this home that could be changed; make a "
                "new one"
            )
        if draft.kind is Kind.SKILL and await asyncio.to_thread(_has_more, place, draft.files):
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

    # --- test ---

    async def test(self, name: str, context: ToolContext) -> tuple[Draft, Sequence[Trial]]:
        """Run a tool's cases, or parse a skill; records what passed for this content."""
        draft = await self.find(name)
        check_readable(draft)
        trials: Sequence[Trial] = ()
        if draft.kind is Kind.TOOL:
            if not draft.cases:
                raise ToolError(
                    f"{name} declares no cases; make it again with an ordinary, an empty and a "
                    "wrong one"
                )
            trials = await self._trials.run(draft, context)
        elif problem := self._untestable(draft):
            raise ToolError(problem)
        if all(trial.problem is None for trial in trials):
            draft = draft.with_passed()
            await asyncio.to_thread(self._drafts.put, draft)
        return draft, trials

    def _untestable(self, draft: Draft) -> str | None:
        """What a skill's text would not survive, and what is wrong with its play."""
        catalog = self._names.catalog
        played = play_problems(
            draft, lambda name: name.startswith(AGENT_PREFIX) or bool(catalog.anywhere(name))
        )
        found = [*forbidden(draft), *played]
        return "\n".join(found) if found else None

    # --- validate and stage ---

    async def stage(self, name: str, context: ToolContext) -> ImportProvenance:
        """Stage a draft that passes everything. Raises ToolError with every problem, one a line."""
        draft = await self.find(name)
        await self._names.fresh()
        if problems := self._problems(draft, context.person):
            raise ToolError(
                "\n".join([f"{name} is not staged:", *(f"- {problem}" for problem in problems)])
            )
        package = self._package(draft, context)
        try:
            await self._desk.stage_made(package)
        except NotReviewed as error:
            raise ToolError(f"{name} is not staged: {error}") from error
        await self._names.fresh()
        return package.provenance

    def _problems(self, draft: Draft, person: Person) -> list[str]:
        problems: list[str] = []
        try:
            roles_of(draft.roles, person)
            check_readable(draft)
            self._must_be_free(draft, update=bool(draft.live))
            if draft.kind is Kind.TOOL and (problem := risky(read_tool(draft))):
                problems.append(problem)
        except ToolError as error:
            problems.append(str(error))
        problems += forbidden(draft)
        if not draft.ready:
            problems.append("its cases have not all passed on exactly this content; call test_tool")
        return problems

    def _package(self, draft: Draft, context: ToolContext) -> Package:
        data = {name: text.encode() for name, text in draft.files.items()}
        tool = draft.kind is Kind.TOOL
        scripts = {draft.script: data[draft.script]} if draft.script else {}
        tools = {draft.name: data[draft.tool_file]} if tool else {}
        origin = max(draft.origin, context.origin, key=lambda one: one.trust)
        findings = findings_of(draft)
        provenance = ImportProvenance(
            name=draft.name,
            given_name=draft.name,
            source=f"mrtool, asked by {context.person.id}",
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
            findings=findings,
            x_source={
                "receipt": self._receipt(
                    draft, len(findings), f"{origin.trust.name.lower()}: {origin.source}"
                )
            },
            command=draft.command,
            folder=draft.folder,
            scripts={name: digest(text) for name, text in scripts.items()},
            manifest=main_file(draft.kind, draft.name) if draft.kind is Kind.MANIFEST else "",
            replaces=dict(draft.live),
        )
        return Package(provenance, {} if tool else data, tools, scripts)

    def _receipt(self, draft: Draft, findings: int, origin: str) -> JsonObject:
        """What the approval card shows, and what a release must repeat word for word."""
        definition = read_tool(draft) if draft.kind is Kind.TOOL else None
        return {
            "name": draft.name,
            "kind": str(draft.kind),
            "content": draft.content,
            "roles": draft.roles,
            "risk": str(definition.risk or "none") if definition else "none",
            "does": _does(definition) if definition else "text for agents",
            "changes_live": bool(draft.live),
            "cases_passed": len(draft.cases),
            "findings": findings,
            "written_from": origin,
        }

    # --- release ---

    async def releasable(self, receipt: JsonObject, person: Person) -> None:
        """Raises ToolError if a yes to this card could not make anything live."""
        if person.role is not Role.MASTER_ADMIN:
            raise ToolError("only a MasterAdmin can make a tool or skill live")
        name = str(receipt["name"])
        try:
            staged = await self._desk.find(name)
        except NotReviewed as error:
            raise ToolError(str(error)) from error
        if not staged.made or staged.x_source.get("receipt") != receipt:
            raise ToolError(
                f"{name}: what is staged is not what validate_tool gave; call release_draft with "
                "exactly that, or validate it again"
            )

    async def receipt(self, name: str) -> JsonObject:
        """What the card of a staged draft shows. Raises ToolError if there is none of mrtool's.

        That of a live one stands for a release that a crash cut off.
        """
        try:
            staged = await self._desk.find(name)
        except NotReviewed:
            live = await self._desk.live(name)
            if live is None or not live.made:
                raise ToolError(
                    f"{name} is not staged, so nobody can be asked; call validate_tool first"
                ) from None
            staged = live
        if not staged.made:
            raise ToolError(f"{name} was not made here; a MasterAdmin decides with /tools approve")
        return dict(staged.x_source["receipt"])

    async def release(self, receipt: JsonObject, person: Person) -> ImportProvenance:
        """Make live what a MasterAdmin approved, if every word of the card is true."""
        if person.role is not Role.MASTER_ADMIN:
            raise ToolError("only a MasterAdmin can make a tool or skill live")
        name = str(receipt["name"])
        try:
            staged = await self._desk.find(name)
            if not staged.made or staged.x_source.get("receipt") != receipt:
                raise ToolError(
                    f"{name}: what is staged is not what the card said; validate it again and ask "
                    "anew"
                )
            return await self._desk.approve(person, name, content=str(receipt["content"]))
        except NotReviewed as error:
            live = await self._desk.live(name)
            if live is not None and live.content == receipt["content"]:
                return live  # released before a crash
            raise ToolError(str(error)) from error


def still_free(names: Names) -> Callable[[ImportProvenance], Awaitable[None]]:
    """Checks before an approval that staged names are still free."""

    async def judge(staged: ImportProvenance) -> None:
        await names.fresh()
        taken = {*names.tools(staged.name), *names.of_skills(staged.name)}
        if problem := clash(staged.name, taken):
            told = desk_words.CANT_BE_APPROVED.filled(name=staged.name, problem=problem)
            raise NotReviewed(told)
        access = Access.parse(staged.roles)
        if not access.roles or Role.BANNED in access.roles:
            raise NotReviewed(desk_words.NO_ROLES.filled(name=staged.name))

    return judge


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
