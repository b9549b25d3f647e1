"""Tools and skills that are made in a conversation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from bot.plugin.drafts import PLAY_FILE, DraftGround, DraftKind, main_file, roles_of
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tables import Unit
from bot.plugin.tools import (
    JsonObject,
    Language,
    NativeTool,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolResult,
    Translations,
    coded,
    titled,
)
from bot.plugins.making.workbench import Case, Drafts, KeptDraft, Workbench
from bot.plugins.making.writing import manifest_text, play_text, skill_text, tool_text

_BUILDING = Phrase("Building a new tool")

_CHANGES_TOOL = Phrase("change the live tool {name}: for {roles}{risk}; it does {does}")
_CHANGES_SKILL = Phrase("change the live skill {name}: for {roles}{risk}; it does {does}")
_NEW_TOOL = Phrase("let people use the new tool {name}: for {roles}{risk}; it does {does}")
_NEW_SKILL = Phrase("let people use the new skill {name}: for {roles}{risk}; it does {does}")
_CHANGES_MANIFEST = Phrase("change the live manifest {name}: for {roles}{risk}; it does {does}")
_NEW_MANIFEST = Phrase("let people use the new manifest {name}: for {roles}{risk}; it does {does}")
_RISK = Phrase(", a risk of {risk}")
_RELEASES: Mapping[tuple[str, bool], Phrase] = {
    (DraftKind.TOOL, True): _CHANGES_TOOL,
    (DraftKind.SKILL, True): _CHANGES_SKILL,
    (DraftKind.MANIFEST, True): _CHANGES_MANIFEST,
    (DraftKind.TOOL, False): _NEW_TOOL,
    (DraftKind.SKILL, False): _NEW_SKILL,
    (DraftKind.MANIFEST, False): _NEW_MANIFEST,
}
"""By the kind of the draft, and whether it changes what is live."""


Audit = Callable[[str, str, str, str], Unit]
"""A line of the audit log: person, kind, subject, detail."""


class Expect(ToolArguments):
    """What a case must give."""

    contains: str | None = Field(default=None, description="Text in the result.")
    equals: str | None = Field(default=None, description="The whole result.")
    is_error: bool = Field(default=False, description="Whether it must fail.")


class ToolCase(ToolArguments):
    """One call to try."""

    arguments: dict[str, Any]
    expect: Expect = Expect()


class CreateToolArguments(ToolArguments):
    """A whole draft of a tool."""

    name: str = Field(description="2 to 50 of a-z, 0-9 and _.")
    description: str = Field(
        min_length=1, description="Its first 120 characters say when to use it."
    )
    parameters: dict[str, Any] = Field(
        description="JSON Schema of an object; each property with a description."
    )
    access: str = Field(description="Roles by name, as few as need it: MasterAdmin, Partner+, …")
    implementation: str = Field(
        description=(
            "`shell: NAME.sh` or `http: METHOD url`; below it `network: yes`, `header: …`, `body: "
            "…`."
        )
    )
    script: str | None = Field(
        default=None, description="Text of NAME.sh: arguments come as JSON on standard input."
    )
    risk: Literal["external-write", "policy-write", "destructive"] | None = Field(
        default=None, description="Needed when it writes outside or destroys."
    )
    cases: list[ToolCase] = Field(
        min_length=1, max_length=20, description="An ordinary, an empty and a wrong one."
    )
    folder: str = Field(
        default="shared", description="Whose tool: shared for all, or an agent's name."
    )
    update: bool = Field(default=False, description="Change the live tool of this name.")


class DraftNameArguments(ToolArguments):
    """The name of a draft."""

    name: str


class MadeCall(ToolArguments):
    """One call of the conversation."""

    tool: str
    arguments: dict[str, Any] = Field(default={})


class SkillPlay(ToolArguments):
    """How the skill is tried: the conversation that it comes from."""

    asked: str = Field(min_length=1, max_length=500, description="The request, in their words.")
    calls: list[MadeCall] = Field(
        default=[], max_length=10, description="Calls that served it, without detours."
    )
    answer: str = Field(min_length=1, max_length=4_000, description="The answer that they liked.")
    has: list[str] = Field(
        min_length=1, max_length=10, description="Words that every good answer holds."
    )


class SkillDraftArguments(ToolArguments):
    """A whole draft of a skill."""

    name: str = Field(description="2 to 50 of a-z, 0-9 and _.")
    description: str = Field(min_length=1, description="When to use it, in a sentence.")
    access: str = Field(description="Roles by name, as few as need it: MasterAdmin, Partner+, …")
    instructions: str | None = Field(
        default=None, description="Prose in markdown, for a skill that is read."
    )
    manifest: dict[str, Any] | None = Field(
        default=None,
        description="Instead of prose: name, required_tools and swarm_config of a set of tools.",
    )
    command: str | None = Field(
        default=None, description="Slash command of prose.", pattern="^[a-z0-9_]{1,32}$"
    )
    auto_invoke: bool = Field(
        default=True, description="Whether agents are told of it by themselves."
    )
    words: list[str] = Field(
        default=[], max_length=40, description="Phrases in which people ask for it, two words each."
    )
    play: SkillPlay | None = Field(
        default=None, description="For prose out of a conversation: what was asked, done, liked."
    )


class ReleaseArguments(ToolArguments):
    """What the approval card shows; all of it must be true.

    The model gives the name, the staged draft gives the rest.
    """

    name: str
    kind: str | None = None
    content: str | None = None
    roles: str | None = None
    risk: str | None = None
    does: str | None = None
    changes_live: bool | None = None
    cases_passed: int | None = None
    findings: int | None = None
    written_from: str | None = None


@dataclass(frozen=True)
class _Handlers:
    bench: Workbench
    audit: Audit

    async def create_tool(self, context: ToolContext, given: CreateToolArguments) -> ToolResult:
        access = roles_of(given.access, context.person)
        text = tool_text(
            given.name,
            given.description,
            given.parameters,
            access,
            given.risk,
            _plain(given.implementation),
        )
        files = {f"{given.name}.md": text}
        if given.script is not None:
            files[f"{given.name}.sh"] = given.script.rstrip() + "\n"
        cases = tuple(
            Case(one.arguments, one.expect.contains, one.expect.equals, one.expect.is_error)
            for one in given.cases
        )
        draft = KeptDraft(
            given.name,
            DraftKind.TOOL,
            files,
            access.describe(),
            given.folder,
            origin=context.origin,
            made_by=context.person.id,
            cases=cases,
        )
        return await self._drafted(draft, context, update=given.update)

    async def create_skill(self, context: ToolContext, given: SkillDraftArguments) -> ToolResult:
        return await self._drafted(_skill(given, context), context, update=False)

    async def update_skill(self, context: ToolContext, given: SkillDraftArguments) -> ToolResult:
        return await self._drafted(_skill(given, context), context, update=True)

    async def _drafted(self, draft: KeptDraft, context: ToolContext, *, update: bool) -> ToolResult:
        kept = await self.bench.draft(draft, context.person, update=update)
        return self._told(
            context, kept, "drafted",
            f"{kept.name} is drafted, for {kept.roles}: {', '.join(kept.files)}. Nobody can use "
            "it. Next: test_tool.",
        )  # fmt: skip

    async def test_tool(self, context: ToolContext, given: DraftNameArguments) -> ToolResult:
        draft, trials = await self.bench.test(given.name, context)
        if draft.kind is not DraftKind.TOOL:
            played = " Its play reads, too." if PLAY_FILE in draft.files else ""
            text = (
                f"{draft.name} reads as a {draft.kind}; the audit let it pass.{played} Next: "
                "validate_tool."
            )
            return self._told(context, draft, "tested", text)
        passed = sum(trial.problem is None for trial in trials)
        how = (
            "The script ran in a sandbox, without network and without `read:` folders."
            if draft.script
            else "Nothing was sent: each case only shows the request that would be made."
        )
        following = (
            "Next: validate_tool."
            if draft.ready
            else "Correct it with create_tool, then test again."
        )
        lines = [trial.line(number) for number, trial in enumerate(trials, 1)]
        text = "\n".join([f"{passed} of {len(trials)} cases passed. {how} {following}", *lines])
        return self._told(
            context, draft, "tested", text, f"; {passed} of {len(trials)} cases passed"
        )

    async def validate_tool(self, context: ToolContext, given: DraftNameArguments) -> ToolResult:
        staged = await self.bench.stage(given.name, context)
        text = (
            f"{staged.name} is valid and staged; nobody can use it before a MasterAdmin approves "
            "it. Ask for that by calling release_draft with its name. Or a MasterAdmin decides "
            f"with /tools approve {staged.name} or /tools reject {staged.name}."
        )
        draft = await self.bench.find(given.name)
        return self._told(context, draft, "staged", text, f"; roles {staged.roles}")

    async def check_release(self, context: ToolContext, given: ReleaseArguments) -> None:
        await self.bench.releasable(given.model_dump(), context.person)

    async def tell_release(self, _: ToolContext, given: ReleaseArguments) -> Translations:
        releases = _RELEASES[given.kind or DraftKind.TOOL, bool(given.changes_live)]
        name, does = coded(given.name), titled(given.does or "", 200)
        risky = bool(given.risk) and given.risk != "none"

        def said(language: Language) -> str:
            risk = _RISK.said(language, risk=given.risk) if risky else ""
            return releases.said(language, name=name, roles=given.roles, risk=risk, does=does)

        return Translations.by(said)

    async def receipt(self, context: ToolContext, given: ReleaseArguments) -> JsonObject:
        """What is staged under the name; a value that the model gave stays, and must be true."""
        return {**await self.bench.receipt(given.name), **given.model_dump(exclude_none=True)}

    async def release_draft(self, context: ToolContext, given: ReleaseArguments) -> ToolResult:
        live = await self.bench.release(given.model_dump(), context.person)
        return ToolResult(
            f"{live.name} is live for {live.roles}.",
            origin=context.origin,
            summary=f"released {live.name}",
        )

    def _told(
        self, context: ToolContext, draft: KeptDraft, step: str, text: str, more: str = ""
    ) -> ToolResult:
        subject = "tool" if draft.kind is DraftKind.TOOL else "skill"
        detail = f"content {draft.content}{more}"
        unit = self.audit(context.person.id, f"{subject}-{step}", f"{subject}:{draft.name}", detail)
        return ToolResult(text, origin=context.origin, unit=unit, summary=f"{step} {draft.name}")


def _skill(given: SkillDraftArguments, context: ToolContext) -> KeptDraft:
    access = roles_of(given.access, context.person)
    if (given.instructions is None) == (given.manifest is None):
        raise ToolError("give either instructions (prose) or manifest (a set of tools)")
    kind = DraftKind.SKILL if given.instructions is not None else DraftKind.MANIFEST
    if given.manifest is not None:
        text = manifest_text(given.name, given.description, given.manifest, access)
    else:
        auto = given.auto_invoke
        text = skill_text(
            given.name,
            given.description,
            given.instructions or "",
            access,
            given.command,
            auto=auto,
            words=given.words,
            example=given.play.asked if given.play is not None else "",
        )
    files = {main_file(kind, given.name): text}
    if given.play is not None:
        if kind is DraftKind.MANIFEST:
            raise ToolError("play: a set of tools has none; leave it out")
        calls = [(one.tool, one.arguments) for one in given.play.calls]
        play = play_text(given.play.asked, calls, given.play.answer, given.play.has)
        files[PLAY_FILE] = play
    return KeptDraft(
        given.name,
        kind,
        files,
        access.describe(),
        command=given.command if kind is DraftKind.SKILL else None,
        origin=context.origin,
        made_by=context.person.id,
    )


def _plain(implementation: str) -> str:
    """Raises ToolError for what would end the section."""
    for line in implementation.splitlines():
        if line.lstrip().startswith(("#", "```", "~~~")):
            raise ToolError(
                "implementation: no headings and no fences; a line `shell: …` or `http: …`"
            )
    return implementation


def making_tools(bench: Workbench, audit: Audit) -> Sequence[NativeTool[Any]]:
    """The handlers; who may call them is said by their files, in the folder of mrtool."""
    handlers = _Handlers(bench, audit)
    return (
        NativeTool("create_tool", CreateToolArguments, handlers.create_tool, doing=_BUILDING),
        NativeTool("test_tool", DraftNameArguments, handlers.test_tool, doing=_BUILDING),
        NativeTool("validate_tool", DraftNameArguments, handlers.validate_tool, doing=_BUILDING),
        NativeTool("create_skill", SkillDraftArguments, handlers.create_skill, doing=_BUILDING),
        NativeTool("update_skill", SkillDraftArguments, handlers.update_skill, doing=_BUILDING),
        NativeTool(
            "release_draft",
            ReleaseArguments,
            handlers.release_draft,
            check=handlers.check_release,
            tells=handlers.tell_release,
            completes=handlers.receipt,
            doing=_BUILDING,
            waivable=False,
        ),
    )


class Making(Plugin[NoSettings]):
    name = "making"
    title = "tools and skills that are made in a conversation"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(draft_tools=partial(_tools, given.home / "data"))


def _tools(data: Path, ground: DraftGround) -> Sequence[NativeTool[Any]]:
    return making_tools(Workbench(ground.desk, Drafts(data)), ground.audit)
