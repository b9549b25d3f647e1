"""The Connector protocol: one module or package per service or surface.

See docs/rules.md#tool-files.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from bot.domain.access import Person
from bot.domain.files import FileSource
from bot.domain.places import Reach
from bot.domain.runs import RunShape
from bot.domain.tool_context import NativeTool, ToolScope

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


class Connector(Protocol):
    """An independent slice: tools, virtual files, skills and a line of the prompt."""

    @property
    def id(self) -> str:
        """Named by `## Requires` in tool files."""
        ...

    @property
    def skills(self) -> Path | None:
        """The folder of its skills; they are listed and readable only while it is available."""
        ...

    @property
    def needs(self) -> Needs:
        """The scopes in which its tools, files and skills exist."""
        ...

    def registrations(self) -> Sequence[ToolRegistration]: ...

    def file_sources(self) -> Sequence[FileSource]: ...

    def prompt_section(self, scope: ToolScope) -> str | None:
        """A few lines of orientation for the system prompt of runs where it is available."""
        ...
