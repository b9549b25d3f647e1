"""Tools as markdown declares them: implementations, risks, definitions, calls."""

import json
import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.lasting import LastingRule
from bot.domain.runs import RunShape
from bot.domain.targets import without_marks


@dataclass(frozen=True)
class Reads:
    """Calls are read-only if their `argument` has one of these values."""

    argument: str
    values: frozenset[str]

    def covers(self, arguments: JsonObject) -> bool:
        value = arguments.get(self.argument)
        return isinstance(value, str) and value in self.values


ONE_LINER_CHARS = 120


_FIRST_PART = re.compile(r"\n\s*\n|\n(?=[-*#] )")
"""What ends the first paragraph: a blank line, or a list."""
_LEAD_IN = re.compile(r"(?<=[.!?]) [^.!?]*:\W*$")
"""Words after the last sentence that introduce omitted text."""
_SENTENCES = re.compile(r".*[.!?:](?= |$)")


def one_line(text: str) -> str:
    """The first sentences of a text, at most 120 characters; else as many words as fit."""
    line = " ".join(_FIRST_PART.split(text.strip(), maxsplit=1)[0].split())
    line = _LEAD_IN.sub("", line)
    if len(line) <= ONE_LINER_CHARS:
        return line
    if whole := _SENTENCES.match(line[: ONE_LINER_CHARS + 1]):
        return whole[0][:ONE_LINER_CHARS]
    words = line[: ONE_LINER_CHARS - 1].rsplit(" ", 1)[0]
    return f"{words[: ONE_LINER_CHARS - 2].rstrip(' ,;-')} …"


class Risk(StrEnum):
    EXTERNAL_WRITE = "external-write"
    POLICY_WRITE = "policy-write"
    DESTRUCTIVE = "destructive"


@dataclass(frozen=True)
class NativeImplementation:
    """`native: name`: a Python handler registered under that name."""

    name: str


@dataclass(frozen=True)
class ShellImplementation:
    """`shell: file.sh`: a script beside the tool file, with its arguments as JSON on stdin."""

    script: Path
    network: bool = False
    """Whether its sandbox has the machine's network (`network: yes`)."""
    reads: tuple[Path, ...] = ()
    """Absolute paths that its sandbox shows, read-only (`read: /path`)."""


_SERVER = re.compile(r"\{server:([A-Za-z_][A-Za-z0-9_-]*)\}")


def server_of(url: str) -> str:
    """The name in tools.http.servers that the template of an address begins with, or nothing."""
    found = _SERVER.match(url)
    return found[1] if found else ""


@dataclass(frozen=True)
class RequestLogin:
    """Names of the two secrets by which a program proves itself: name (or id) and password."""

    name: str
    password: str
    token_url: str = ""
    """Where they are exchanged for a bearer token (OAuth's client credentials); empty: Basic."""


@dataclass(frozen=True)
class HttpImplementation:
    """`http: METHOD url`: a template with `{name}` for arguments, `{secret:NAME}` for secrets."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    """JSON with placeholders in its texts. Empty: no body, or the arguments used nowhere else."""
    login: RequestLogin | None = None
    success: tuple[str, str] | None = None
    """A path into the JSON answer, and the text that stands there if the call succeeded."""

    @property
    def server(self) -> str:
        """The name in tools.http.servers whose address the URL begins with; empty: none."""
        return server_of(self.url)

    @property
    def free(self) -> bool:
        """Whether the whole URL is an argument, so that the caller chooses the destination."""
        return self.url.startswith("{") and not self.server


@dataclass(frozen=True)
class McpImplementation:
    """`mcp: server.tool`."""

    server: str
    tool: str


Implementation: TypeAlias = (
    NativeImplementation | ShellImplementation | HttpImplementation | McpImplementation
)


class _Parameters:
    """The schema of a tool's arguments, which may be given as its JSON.

    Text takes a quarter of the memory. Of thousands of tools, only those in use are parsed.
    """

    def __get__(self, tool: "ToolDefinition | None", owner: object = None) -> JsonObject:
        if tool is None:
            raise AttributeError("parameters")  # how dataclasses learn of no default
        schema = parsed_schema(tool.stored_parameters)
        if schema is not tool.stored_parameters:
            self.__set__(tool, schema)
        return schema

    def __set__(self, tool: "ToolDefinition", given: JsonObject | str) -> None:
        object.__setattr__(tool, "stored_parameters", given)


def parsed_schema(stored: JsonObject | str) -> JsonObject:
    """A schema, or what its JSON says. The JSON must be known to hold an object."""
    return json.loads(stored) if isinstance(stored, str) else stored


class _HasParameters:
    """Holds the descriptor in a base class, so that the field below has no default."""

    parameters = _Parameters()


@dataclass(frozen=True)
class ToolDefinition(_HasParameters):
    """A tool as its markdown file declares it (docs/rules.md#tool-files)."""

    name: str
    description: str
    parameters: _Parameters
    folder: str
    """`shared`, an agent's name, `subagents`, `planner` or `mrtool`."""
    implementation: Implementation
    access: Access = Access()
    aliases: tuple[str, ...] = ()
    risk: Risk | None = None
    reads: Reads | None = None
    """Calls that the risk doesn't apply to (`## Reads`)."""
    lasting: tuple[LastingRule, ...] = ()
    """What calls make that outlasts their conversation (`## Lasting`)."""
    words: tuple[str, ...] = ()
    """What people say who want it, in any language (`## Words`); for searches, not for models."""
    requires: tuple[str, ...] = ()
    """Connectors that must be available to this person."""
    runs: frozenset[RunShape] | None = None
    """Kinds of run in which it exists; None means all."""
    timeout_s: float | None = None
    idempotent: bool = False
    source: str | None = None
    """The path of its file, as text: of thousands of tools, hardly any path is used."""
    confinement: Confinement | None = None
    """The only hosts and paths that its calls may use (`## Hosts`, `## Paths`)."""
    result: JsonObject | None = None
    """The schema of its JSON result with marks of records (`## Result`); None if undescribed."""
    listed_as: str = ""
    listed: bool = True
    """Whether catalogues list it; else a search finds it, and a call by its name works."""
    stored_parameters: JsonObject | str = field(init=False, repr=False, compare=False)
    """The parameters, or their JSON as long as nobody needs them.

    For copies, and for a look at all tools: reading `parameters` parses them to stay.
    """
    may_write: bool = False
    """An MCP tool not declared read-only: a write outside if the context has text from outside."""
    described_by: str = ""
    """The MCP server that wrote the description; empty if the operator answers for the text."""
    trusted: tuple[str, ...] = ()
    """What the operator said of this tool of a server, in words for `bellhop rights`."""

    def risk_of(self, arguments: JsonObject) -> Risk | None:
        """The risk of a call with these arguments, according to the file."""
        return None if self.reads is not None and self.reads.covers(arguments) else self.risk

    @property
    def acts_as(self) -> str:
        """The name of the native tool that runs it, whatever its file calls it; else its own."""
        match self.implementation:
            case NativeImplementation(name):
                return name
            case _:
                return self.name

    @property
    def closed_as(self) -> tuple[str, ...]:
        """The names under which a rule closes it or asks: its own, its aliases, what it runs."""
        return (self.name, *self.aliases, self.acts_as)

    @property
    def one_liner(self) -> str:
        """What catalogues say: `## Listed as`, else the first sentences of the description."""
        return self.listed_as or one_line(self.description)

    def declaration(self) -> JsonObject:
        """The tool in a Messages API request; equal definitions give the same bytes."""
        return {
            "name": self.name,
            "description": self.description,
            "input_schema": self.shown_parameters,
        }

    @cached_property
    def shown_parameters(self) -> JsonObject:
        """The parameters as models see them: without the marks of targets."""
        return without_marks(self.parameters)


@dataclass(frozen=True)
class ToolCall:
    """A call that the model requested. `key` is its journal key: `tool:<n>.<position>`."""

    id: str
    name: str
    arguments: JsonObject
    key: str
