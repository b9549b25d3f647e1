"""read_skill: the text of a skill, for runs that have no file tools (docs/rules.md#skills)."""

from collections.abc import Container, Sequence
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from bot.domain.access import Role
from bot.domain.confinement import Confinement
from bot.domain.origins import Origin, Trust
from bot.domain.runs import RunShape
from bot.domain.skills import Skill
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Confined, ToolResult
from bot.errors import ToolError


class ReadSkillArguments(BaseModel):
    """The name of a skill."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    name: str = Field(description="As your prompt lists it.")


class Skills(Protocol):
    """What read_skill needs of the library."""

    def for_agent(
        self, agent: str, specialist: bool, role: Role, shape: RunShape, connected: Container[str]
    ) -> Sequence[Skill]: ...

    def body(self, name: str) -> str | None: ...

    def confinement(self, name: str) -> Confinement | None: ...


def read_skill_tool(skills: Skills) -> NativeTool[ReadSkillArguments]:
    """The tool over a library; an agent reads its visible skills, at the top or as specialist."""

    async def run(context: ToolContext, arguments: ReadSkillArguments) -> ToolResult:
        name = arguments.name.removeprefix("/skills/").partition("/")[0]
        role, shape = context.person.role, context.run.shape
        seen = {
            one.name
            for kind in (False, True)
            for one in skills.for_agent(context.agent, kind, role, shape, context.connected)
        }
        body = skills.body(name) if name in seen else None
        if body is None:
            known = ", ".join(sorted(seen)) or "none at all"
            raise ToolError(f"there is no skill {name[:64]!r} for you; there is {known}")
        origin = Origin(Trust.OPERATOR, f"skill:{name}")
        limits = skills.confinement(name)
        effects = () if limits is None else (Confined(limits),)
        return ToolResult(body, origin=origin, effects=effects, summary=f"read the skill {name}")

    return NativeTool("read_skill", ReadSkillArguments, run, pure=True)
