"""Decides which tools a run has, and which are always on (docs/rules.md#kinds-of-run)."""

from collections.abc import Callable
from typing import TypeAlias

from bot.domain.access import INNER_RANK, Role
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolScope
from bot.domain.tools import ToolDefinition
from bot.llm.unlocking import CALL_TOOL

RunRule: TypeAlias = Callable[[ToolScope], bool]

AGENT_PREFIX = "agent_"
PLANNING = "planner"
"""The tool folder of agents that hand work on."""
PROJECTS = "subagents"
"""The tool folder of agents that work in a project's folder."""
ACTIVATE = "activate_skill"
"""Where it does not exist, nobody can come to the tools of a manifest."""
FILE_TOOLS = ("read_file", "write_file", "edit_file", "delete_file", "list_directory")
_WRITING = frozenset({"write_file", "edit_file", "delete_file"})
WEB_TOOLS = frozenset({"web_search", "web_fetch"})
OFFERED = frozenset({"request_more_turns", CALL_TOOL})
"""Callable but unlisted and not found: a note offers one, an unlock mode adds the other."""
_REFUSED_TO_GUESTS = {"send": frozenset({"to"})}
"""By the tool that acts."""


def refused_arguments(acts_as: str, role: Role) -> frozenset[str]:
    """Arguments with which no call of this role runs, so that none of them is offered."""
    guest = role.rank < INNER_RANK
    return _REFUSED_TO_GUESTS.get(acts_as, frozenset()) if guest else frozenset()


def _everywhere(scope: ToolScope) -> bool:
    return True


def _person_reachable(scope: ToolScope) -> bool:
    return scope.run.shape.person_present and scope.depth == 0


def _top_level(scope: ToolScope) -> bool:
    return scope.depth == 0


def _has_files(scope: ToolScope) -> bool:
    return scope.run.shape is not RunShape.RESEARCH


def _writes_files(scope: ToolScope) -> bool:
    """Whether the run writes files: a specialist only reads and reports; its caller writes."""
    return _has_files(scope) and scope.depth == 0


def _serves_a_person(scope: ToolScope) -> bool:
    """Whether a run in a chat looks at what a person keeps; work in a project does not."""
    return scope.run.shape is RunShape.CHAT and _outside_projects(scope)


def _lists_folders(scope: ToolScope) -> bool:
    return _has_files(scope) and _outside_projects(scope)


def _outside_projects(scope: ToolScope) -> bool:
    return PROJECTS not in scope.folders


def _hands_nothing_in(scope: ToolScope) -> bool:
    """Whether the run has no assignment, whose own tools end it."""
    return not scope.assigned


def _in_research(scope: ToolScope) -> bool:
    return scope.run.shape is RunShape.RESEARCH


def _researches(scope: ToolScope) -> bool:
    return scope.run.researches


ALWAYS_ON: dict[str, RunRule] = {
    "tool_search": _everywhere,
    "get_capabilities": _everywhere,
    "send": _top_level,
    "finish_task": _hands_nothing_in,
    "save_fact": _outside_projects,
    "ask_user_for_clarification": _person_reachable,
    "read_file": _has_files,
    **{name: _writes_files for name in FILE_TOOLS if name in _WRITING},
    "list_directory": _lists_folders,
    "remember": _serves_a_person,
    "web_search": _researches,
    "web_fetch": _researches,
    "read_skill": _in_research,
}
"""In the order in which requests declare them.

Where the rule fails the tool doesn't exist (web: see below).
"""


EVERYDAY = ("manage_todos", "knowledge_store", "calculate")
"""The most common needs: declared in conversations, listed or found elsewhere."""


FOR_THE_PERSON = frozenset({"catch_me_up", "forget", "share_memory"})
"""Only for the agent that talks with the person; specialists report what to remove, and nobody
catches up with what was said through them."""


def may_write(definition: ToolDefinition, scope: ToolScope, *, keeps: bool) -> bool:
    """Whether the run may have a changing tool: specialists only their own and named ones.

    `keeps`: as the tool says of itself (`NativeTool.keeps`).
    """
    if not scope.depth or (definition.risk is None and not keeps):
        return True
    return (
        definition.folder == scope.agent
        or definition.folder in scope.folders
        or definition.name in scope.tools
    )


def always_on_names(scope: ToolScope) -> tuple[str, ...]:
    """The names of tools that are declared from the first request on, in their order."""
    ruled = (name for name, rule in ALWAYS_ON.items() if rule(scope))
    everyday = EVERYDAY if _person_reachable(scope) else ()
    return (*ruled, *everyday, *(f"{AGENT_PREFIX}{name}" for name in scope.specialists))


def exists_in_run(name: str, scope: ToolScope, *, chat_web: bool) -> bool:
    """Whether the run has the tool at all.

    `chat_web`: `run_shapes.chat.allow_web` (then found by search in chat).
    """
    if name in FOR_THE_PERSON and scope.depth:
        return False
    rule = ALWAYS_ON.get(name)
    if rule is None or rule(scope):
        return True
    return name in WEB_TOOLS and chat_web and scope.run.shape is RunShape.CHAT
