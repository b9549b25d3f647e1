"""activate_skill and deactivate_skill: a manifest's tools for the rest of the session.

See docs/rules.md#skills.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.agents.arguments import SkillArguments
from bot.agents.loop.calls import ControlContext, control_tool
from bot.agents.loop.run import Run
from bot.domain.access import Role
from bot.domain.confinement import Confinement
from bot.domain.skills import SkillManifest
from bot.domain.tool_context import NativeTool
from bot.domain.tool_outcomes import Confined, SkillActivated, ToolOutcome, ToolResult, Unlocked
from bot.domain.tools import ToolDefinition
from bot.errors import ToolError
from bot.skills.manifests import SkillManifests
from bot.tools.toolset.toolset import Toolset
from bot.tools.toolset.view import ToolStanding

DEACTIVATE = "deactivate_skill"
_KEPT = (
    "Its limits hold until this request is answered, because the person has asked for nothing "
    "since."
)
"""A text that was read under the limits can't have them lifted; a message of the person can."""


class SkillActivation:
    """The two tools.

    A skill never adds rights to a role: it only makes tools visible and unlocks them.
    """

    def __init__(self, manifests: SkillManifests) -> None:
        self._manifests = manifests

    def tools(self) -> tuple[NativeTool[Any], ...]:
        return (
            control_tool("activate_skill", SkillArguments, self.activate),
            control_tool(DEACTIVATE, SkillArguments, self.deactivate, listed=False),
        )

    async def activate(self, context: ControlContext, given: SkillArguments) -> ToolOutcome:
        run = context.caller
        manifest = self._wanted(context, given)
        active = [
            *run.active_skills,
            *([] if manifest.skill_id in run.active_skills else [manifest.skill_id]),
        ]
        tools = self._manifests.tools_of(active, context.person.role)
        widened = run.toolset.widened(replace(run.live_scope(), active_tools=tools))
        there = widened.describe(manifest.required_tools)
        if not there:
            raise ToolError(
                f"{manifest.skill_id} can't be activated: none of its tools is available here"
            )
        # Unlock deactivate_skill too: without it the model would be held to the skill.
        offered = (*there, *widened.describe((DEACTIVATE,)))
        declarations = tuple(
            tool.declaration() for tool in offered if not widened.is_callable(tool.name)
        )
        unlocked = (Unlocked(declarations),) if declarations else ()
        limits = manifest.confinement
        return ToolResult(
            _activated(manifest, there, widened),
            effects=(
                SkillActivated(manifest.skill_id, tools=tuple(sorted(tools))),
                *unlocked,
                *(() if limits is None else (Confined(limits),)),
            ),
            summary=f"activated {manifest.name}",
        )

    async def deactivate(self, context: ControlContext, given: SkillArguments) -> ToolOutcome:
        run = context.caller
        if given.skill_id not in run.active_skills:
            active = ", ".join(run.active_skills) or "none"
            raise ToolError(f"{given.skill_id[:64]} is not active; active: {active}")
        rest = [skill_id for skill_id in run.active_skills if skill_id != given.skill_id]
        tools = self._manifests.tools_of(rest, context.person.role)
        limits = self._limits_of(given.skill_id, run)
        lifted = limits is not None and run.was_asked_since(limits)
        kept = "" if limits is None or lifted else f" {_KEPT}"
        return ToolResult(
            f"{given.skill_id} is no longer active. Tools that only it made available can't be "
            f"called any more.{kept}",
            effects=(
                SkillActivated(given.skill_id, active=False, tools=tuple(sorted(tools))),
                *((Confined(limits, lifted=True),) if limits is not None and lifted else ()),
            ),
        )

    def _limits_of(self, skill_id: str, run: Run) -> Confinement | None:
        """The limits of a skill, if they hold in this turn."""
        manifest = self._manifests.get(skill_id, run.scope.person.role)
        limits = None if manifest is None else manifest.confinement
        return limits if limits in run.scope.confinements else None

    def usable(self, run: Run, role: Role) -> tuple[SkillManifest, ...]:
        """The manifests with tools that this person can use here, reduced to those tools.

        A search through them must not reveal a tool that the role lacks.
        """
        known = self._manifests.for_role(role)
        every = frozenset(name for manifest in known for name in manifest.required_tools)
        widened = run.toolset.widened(replace(run.live_scope(), active_tools=every))
        open_tools = [
            tuple(tool.name for tool in widened.describe(manifest.required_tools))
            for manifest in known
        ]
        return tuple(
            replace(manifest, required_tools=names)
            for manifest, names in zip(known, open_tools, strict=True)
            if names
        )

    def _wanted(self, context: ControlContext, given: SkillArguments) -> SkillManifest:
        manifest = self._manifests.get(given.skill_id, context.person.role)
        if manifest is None:
            usable = self.usable(context.caller, context.person.role)
            known = ", ".join(item.skill_id for item in usable) or "none"
            raise ToolError(
                f"there is no skill {given.skill_id[:64]!r} to activate; there is {known}"
            )
        return manifest


def _activated(manifest: SkillManifest, there: Sequence[ToolDefinition], toolset: Toolset) -> str:
    lines = [f"{manifest.name} ({manifest.skill_id}) is active for this session. You can call:"]
    lines += [f"- {tool.name}: {tool.one_liner}" for tool in there]
    have = {tool.name for tool in there}
    absent = [name for name in manifest.required_tools if name not in have]
    # A tool that the role lacks is never named to it, not even here.
    unknown = [name for name in absent if toolset.standing(name) is not ToolStanding.ROLE]
    if unknown:
        lines.append(f"Missing here: {', '.join(unknown)} (not installed, or not connected).")
    if closed := len(absent) - len(unknown):
        lines.append(
            f"{closed} more of its tools {'is' if closed == 1 else 'are'} not open to this person."
        )
    if manifest.confinement is not None:
        lines.append(f"For this request you may use only: {manifest.confinement.describe()}.")
    if (manifest.default_ants or manifest.max_parallel) and toolset.find("agent_queen") is not None:
        lines.append(
            "Work for several at once: have agent_queen lead it, and name the skill "
            f"{manifest.skill_id} to it."
        )
    return "\n".join(lines)
