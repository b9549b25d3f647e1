"""`mcp:` in bellhop.yaml: MCP servers, in the format of desktop clients."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from bot.plugin.plugin import Section
from bot.plugin.tools import Access

REFERENCE = re.compile(r"\$\{(\w+)\}")
"""`${NAME}` in a value stands for a secret."""
_NAME = re.compile(r"[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)*")
_MAX_NAME = 24


def _server_name(name: str) -> str:
    if len(name) > _MAX_NAME or not _NAME.fullmatch(name):
        raise ValueError(
            f"{name[:40]!r} can't be a server's name; use up to {_MAX_NAME} letters and digits, "
            "single - or _ between"
        )
    return name


ServerName = Annotated[str, AfterValidator(_server_name)]


class McpTrustSettings(Section):
    """What the operator knows better than a server says: by the server's names of its tools.

    `*` stands for any characters. A tool under both `reads` and `writes` writes.
    """

    reads: tuple[str, ...] = ()
    """Tools that only read, although the server does not say so: no call of them is asked about."""
    writes: tuple[str, ...] = ()
    """Tools that write, although the server says that they only read."""
    results: tuple[str, ...] = ()
    """Tools whose results are texts of this team: they count as a member's words."""
    descriptions: bool = False
    """Whether the server's descriptions count as the operator's own words."""


class McpServerSettings(Section):
    """One server: either a program that is started here (`command`) or an address (`url`)."""

    command: str | None = None
    """A program that is started and spoken to on its standard input and output; or else `url`."""
    args: tuple[str, ...] = ()
    """The arguments of the program."""
    env: dict[str, str] = Field(default_factory=dict[str, str])
    """Environment of the program; `${NAME}` stands for a secret."""
    url: str | None = None
    """The address of a server that speaks streamable HTTP."""
    headers: dict[str, str] = Field(default_factory=dict[str, str])
    """Sent with each request to the address; `${NAME}` stands for a secret."""
    roles: str = "Partner+"
    """The roles that may use its tools, as in `## Access` of a tool file."""
    timeout_s: float = Field(default=60.0, gt=0, le=3600)
    """For one call, in seconds."""
    trust: McpTrustSettings = McpTrustSettings()
    """Corrections of what the server says about its tools, and whether its texts are the team's."""
    protocol: Literal["auto", "legacy"] = "auto"
    """`legacy` starts with the older handshake: no wait for servers that ignore the newer."""

    @property
    def access(self) -> Access:
        return Access.parse(self.roles)

    @property
    def named_secrets(self) -> list[str]:
        values = (*self.env.values(), *self.headers.values())
        return [name for value in values for name in REFERENCE.findall(value)]

    @field_validator("roles")
    @classmethod
    def _known_roles(cls, roles: str) -> str:
        Access.parse(roles)
        return roles

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError(
                "needs either command (a program to start here) or url (an address), not both"
            )
        if self.command is None and (self.args or self.env):
            raise ValueError("args and env belong to a command; for a url use headers")
        if self.url is None and self.headers:
            raise ValueError("headers belong to a url; for a command use env")
        if self.url is not None and not re.fullmatch(r"https?://[^\s/]+\S*", self.url):
            raise ValueError("url must be an http:// or https:// address")
        return self


class McpSettings(Section):
    """MCP servers whose tools are used here."""

    servers: dict[ServerName, McpServerSettings] = Field(
        default_factory=dict[ServerName, McpServerSettings]
    )
    """MCP servers by name, see docs/setting-up.md#mcp-servers."""
