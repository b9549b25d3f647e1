"""The registry of runners: native handlers where their needs are met, and other routes."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeAlias

from pydantic import BaseModel

from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.places import Reach
from bot.domain.runs import RunShape
from bot.domain.tool_context import ArgumentsT, NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolOutcome, ToolResult
from bot.domain.tools import (
    HttpImplementation,
    Implementation,
    McpImplementation,
    NativeImplementation,
    ShellImplementation,
    ToolDefinition,
)
from bot.errors import ToolError
from bot.tools.schemas.argument_models import args_schema

log = logging.getLogger(__name__)

Route: TypeAlias = Callable[[ToolDefinition, ToolContext], Awaitable[ToolOutcome]]
"""Runs a tool of one kind of implementation; may raise ToolError."""
RoutedKind: TypeAlias = (
    type[ShellImplementation] | type[HttpImplementation] | type[McpImplementation]
)
Hindrance: TypeAlias = Callable[[ToolDefinition], str | None]
"""Why this installation can't run a tool of one kind, with the remedy; None if it can."""

Usable: TypeAlias = Callable[[Person], Set[str]]
"""Ids of the services that a person's requests can use now."""
EVERY_RUN = frozenset(RunShape)


def no_services(_person: Person) -> Set[str]:
    """Nobody has an account."""
    return frozenset()


@dataclass(frozen=True)
class Needs:
    """What a scope must offer for a connector, or some of its tools, to exist in it.

    It is data: each request compares it with its scope, without a visit to each connector.
    """

    runs: Set[RunShape] = EVERY_RUN
    """The kinds of run in which it exists; none if this installation can't serve it."""
    aloud: Set[RunShape] = EVERY_RUN
    """The kinds of run in which it exists outside direct messages, too.

    The text of an event must not make a run read somebody's account aloud in a channel.
    """
    services: Set[str] | None = None
    """Services: the person's requests can use one of them. None if none is needed."""
    usable: Usable = no_services
    address: bool = False
    """Whether the agent needs a mail address."""
    also: Callable[[ToolScope], bool] | None = None
    """Anything else, asked for each request."""

    def met(self, scope: ToolScope) -> bool:
        shape = scope.run.shape
        return (
            shape in self.runs
            and (shape in self.aloud or Reach.DM in scope.location.reaches)
            and (self.services is None or not self.services.isdisjoint(self.usable(scope.person)))
            and (bool(scope.agent_email) or not self.address)
            and (self.also is None or self.also(scope))
        )


ALWAYS = Needs()
NEVER = Needs(runs=frozenset())


@dataclass(frozen=True)
class ToolRegistration:
    """Native tools, and the scopes in which they exist: there, roles still apply."""

    tools: Sequence[NativeTool[Any]]
    needs: Needs = ALWAYS


class NativeTools:
    """The registry that connectors and rooms are composed into (docs/rules.md#tool-files).

    `routes`: the runners of scripts, HTTP requests and MCP calls; tools of a kind without a route
    exist nowhere. `hindrances`: the reasons why this installation can't run a tool of a kind.
    `reserved`: names that are reserved although their tool may not be registered.
    """

    def __init__(
        self,
        registrations: Sequence[ToolRegistration] = (),
        *,
        routes: Mapping[RoutedKind, Route] | None = None,
        hindrances: Mapping[RoutedKind, Hindrance] | None = None,
        reserved: Set[str] = frozenset(),
    ) -> None:
        self._registrations = list(registrations)
        self._reserved = reserved | {
            tool.name for each in registrations for tool in each.tools if tool.reserved
        }
        self._arguments = _arguments_of(registrations)
        self._needs = _needs_of(registrations)
        """What registrations need, each once; ALWAYS is left out."""
        self._composed: dict[frozenset[int], Mapping[str, NativeTool[Any]]] = {}
        """The handlers by the identity of the needs that are met; most scopes are alike."""
        self.routes: Mapping[RoutedKind, Route] = dict(routes or {})
        self._hindrances: Mapping[RoutedKind, Hindrance] = dict(hindrances or {})

    def add(self, *tools: NativeTool[Any], needs: Needs = ALWAYS) -> None:
        """Register tools that need what is built after this registry."""
        added = ToolRegistration(tools, needs)
        self._registrations.append(added)
        self._needs = _needs_of(self._registrations)
        self._arguments = _arguments_of([added]) | self._arguments
        self._reserved |= {tool.name for tool in tools if tool.reserved}
        self._composed.clear()

    def stand_in(self, *tools: NativeTool[Any]) -> None:
        """Put these in place of the tools of their names: for a play, whose world is made up."""
        names = {tool.name for tool in tools}
        self._registrations = [
            replace(each, tools=[tool for tool in each.tools if tool.name not in names])
            for each in self._registrations
        ]
        self.add(*tools)

    @property
    def tools(self) -> Sequence[NativeTool[Any]]:
        """All tools, in whatever scope they exist."""
        return [tool for each in self._registrations for tool in each.tools]

    @property
    def names(self) -> Sequence[str]:
        """The names of all tools; one that is registered twice is named twice."""
        return [tool.name for tool in self.tools]

    def parameters(self, name: str) -> JsonObject | None:
        """The schema of a tool's arguments, in whatever scope it exists; None if unknown."""
        arguments = self._arguments.get(name)
        return None if arguments is None else args_schema(arguments)

    def reserves(self, name: str) -> bool:
        """Whether no file or server can serve this name, in whatever scope."""
        return name in self._reserved

    def lacks(self, implementation: Implementation) -> str:
        """Why no plug-in could ever run it, with the remedy; empty if one may."""
        if not isinstance(implementation, McpImplementation) or McpImplementation in self.routes:
            return ""
        return (
            "no plug-in here calls servers of tools; remove -mcp if plugins in bellhop.yaml has "
            "it, else this file"
        )

    def handlers(self, scope: ToolScope) -> Mapping[str, NativeTool[Any]]:
        """The handlers that exist in this scope; needs are compared for each request.

        A comparison that fails takes its own tools away and is logged.
        """
        holding = frozenset(id(needs) for needs in self._needs if _met(needs, scope))
        if (found := self._composed.get(holding)) is None:
            found = self._composed[holding] = self._compose(holding)
        return found

    def _compose(self, holding: frozenset[int]) -> Mapping[str, NativeTool[Any]]:
        """The tools of the registrations whose needs are met; of equal names the first stays."""
        there = (
            registration.tools
            for registration in self._registrations
            if registration.needs is ALWAYS or id(registration.needs) in holding
        )
        found: dict[str, NativeTool[Any]] = {}
        for tool in chain.from_iterable(there):
            if tool.name in found:
                log.error(
                    "tool=<%s> | two handlers are registered, the second is ignored", tool.name
                )
            else:
                found[tool.name] = tool
        return found

    def serves(self, definition: ToolDefinition, handlers: Mapping[str, NativeTool[Any]]) -> bool:
        """Whether a call of this tool would reach a runner."""
        match definition.implementation:
            case NativeImplementation(name):
                return name in handlers and (name == definition.name or not self.reserves(name))
            case other:
                return type(other) in self.routes and self.hindrance(definition) is None

    def hindrance(self, definition: ToolDefinition) -> str | None:
        """Why this installation can't run a tool of a known kind; the tool is then absent."""
        match definition.implementation:
            case NativeImplementation():
                return None
            case other:
                found = self._hindrances.get(type(other))
                return found(definition) if found is not None else None


def _arguments_of(registrations: Sequence[ToolRegistration]) -> dict[str, type[BaseModel]]:
    """The models of arguments by the name of the tool; of equal names the first stays."""
    tools = list(chain.from_iterable(registration.tools for registration in registrations))
    return {tool.name: tool.arguments for tool in reversed(tools)}


def _needs_of(registrations: Sequence[ToolRegistration]) -> tuple[Needs, ...]:
    several = {id(each.needs): each.needs for each in registrations}
    return tuple(needs for needs in several.values() if needs is not ALWAYS)


def _met(needs: Needs, scope: ToolScope) -> bool:
    try:
        return needs.met(scope)
    except Exception:
        log.exception(
            "person=<%s>, agent=<%s> | a registration of tools failed", scope.person.id, scope.agent
        )
        return False


def tried(
    run: Callable[[ToolContext, ArgumentsT], Awaitable[ToolOutcome]],
) -> Callable[[ToolContext, ArgumentsT], Awaitable[None]]:
    """A `NativeTool.check` that calls the handler and throws its writes away."""

    async def check(context: ToolContext, given: ArgumentsT) -> None:
        outcome = await run(context, given)
        if isinstance(outcome, ToolResult) and outcome.is_error:
            raise ToolError(outcome.content)

    return check
