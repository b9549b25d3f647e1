"""csf_management: csf (ConfigServer Firewall) of this machine, where the settings name its command.

Options: `csf --help`. Every argument is one word of the command line; no shell reads any of it.
"""

import logging
import os
import re
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator

from bot.plugin.plugin import Given, Parts, Plugin, Section
from bot.plugin.programs import ERROR, ProgramRunner
from bot.plugin.tools import (
    ALWAYS,
    MARK,
    NEVER,
    NativeConnector,
    NativeTool,
    Origin,
    Phrase,
    TargetKind,
    ToolContext,
    ToolError,
    ToolResult,
    Translations,
    Trust,
    coded,
)

log = logging.getLogger(__name__)

CsfAction: TypeAlias = Literal[
    "status",
    "list",
    "search",
    "allow",
    "unallow",
    "deny",
    "undeny",
    "temp_allow",
    "temp_deny",
    "temp_remove",
]
_OPTIONS: dict[str, str] = {
    "status": "-l",
    "list": "-t",
    "search": "-g",
    "allow": "-a",
    "unallow": "-ar",
    "deny": "-d",
    "undeny": "-dr",
    "temp_allow": "-ta",
    "temp_deny": "-td",
    "temp_remove": "-tr",
}
_WITHOUT_ADDRESS = frozenset({"status", "list"})
_TIMED = frozenset({"temp_allow", "temp_deny"})
_COMMENTED = frozenset({"allow", "deny"}) | _TIMED
_WIDEST = {4: 16, 6: 32}
"""The shortest prefix that a rule may have: a wider one would lock the machine up or open it."""
_DAY_S = 24 * 60 * 60
_COMMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .,:_/()-]{0,79}")


CALLS: Mapping[str, Phrase] = {
    "allow": Phrase("allow {address} in the firewall for good"),
    "unallow": Phrase("take {address} off the firewall's list of allowed addresses"),
    "deny": Phrase("block {address} in the firewall for good"),
    "undeny": Phrase("unblock {address} in the firewall"),
    "temp_allow": Phrase("allow {address} in the firewall for {seconds} seconds"),
    "temp_deny": Phrase("block {address} in the firewall for {seconds} seconds"),
    "temp_remove": Phrase("end the temporary rule of the firewall for {address}"),
}
LOOK = Phrase("look at the firewall")
"""What a call does, as cards say it."""


class CsfArguments(BaseModel):
    """One call of csf."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: CsfAction = Field(
        description="status: all rules; list: temporary ones; search: rules for an address; the "
        "others change rules."
    )
    address: str | None = Field(
        default=None,
        max_length=50,
        description="An IP address or network, such as 203.0.113.7. Needed but for status and list",
        json_schema_extra={MARK: TargetKind.HOST},
    )
    seconds: int | None = Field(
        default=None, ge=60, le=30 * _DAY_S, description="How long a temporary rule holds."
    )
    ports: list[int] | None = Field(
        default=None, min_length=1, max_length=15, description="For temporary rules; else all."
    )
    comment: str | None = Field(
        default=None, max_length=80, description="Why, in plain words; kept with the rule."
    )


def command_words(arguments: CsfArguments) -> list[str]:
    """The words behind `csf`. Raises ToolError for what csf would take in another way."""
    action = arguments.action
    words = [_OPTIONS[action]]
    if action in _WITHOUT_ADDRESS:
        return words
    words.append(_address(arguments))
    if action in _TIMED:
        if arguments.seconds is None:
            raise ToolError(f"{action} needs `seconds`: how long the rule holds")
        words.append(str(arguments.seconds))
        if arguments.ports:
            if not all(1 <= port <= 65535 for port in arguments.ports):
                raise ToolError("a port is a number from 1 to 65535")
            words += ["-p", ",".join(map(str, arguments.ports))]
    elif arguments.ports or arguments.seconds:
        raise ToolError(f"{action} takes no `ports` and no `seconds`; use temp_allow or temp_deny")
    if arguments.comment is not None:
        if action not in _COMMENTED:
            raise ToolError(f"{action} takes no comment; leave it out")
        if not _COMMENT.fullmatch(arguments.comment):
            raise ToolError("the comment may have letters, digits, spaces and .,:_/()- only")
        words.append(arguments.comment)
    return words


def _address(arguments: CsfArguments) -> str:
    if arguments.address is None:
        raise ToolError(f"{arguments.action} needs `address`")
    try:
        network = ip_network(arguments.address.strip())
    except ValueError:
        raise ToolError(
            f"{arguments.address[:50]!r} is no IP address or network, such as 203.0.113.7 or "
            "203.0.113.0/24"
        ) from None
    if isinstance(network, IPv6Network) and "%" in str(network):
        raise ToolError("an address with a zone can't stand in a rule")
    if arguments.action != "search":
        _require_sane(network)
    alone = network.prefixlen == network.max_prefixlen
    return str(network.network_address) if alone else str(network)


def _require_sane(network: IPv4Network | IPv6Network) -> None:
    if network.prefixlen < _WIDEST[network.version]:
        raise ToolError(
            f"{network} is too wide for a rule; at least /{_WIDEST[network.version]} is taken"
        )
    if network.is_loopback or network.is_multicast or network.is_unspecified:
        raise ToolError(f"{network} is no address of another machine; no rule is made for it")


class FirewallConnector(NativeConnector):
    """csf_management, where `firewall.csf` names the program."""

    id = "firewall"

    def __init__(self, csf: Sequence[str], programs: ProgramRunner) -> None:
        self._csf = csf
        self._programs = programs
        self.needs = ALWAYS if csf else NEVER
        super().__init__(
            NativeTool(
                "csf_management", CsfArguments, self._run, acts=True, check=_check, tells=_tells
            )
        )

    async def _run(self, context: ToolContext, arguments: CsfArguments) -> ToolResult:
        command = [*self._csf, *command_words(arguments)]
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "HOME": os.devnull,
        }
        try:
            ended = await self._programs.run(command, Path("/"), environment)
        except OSError as error:
            log.warning("command=<%s>, error=<%s> | csf can't be started", command[0], error)
            raise ToolError(
                f"csf can't be started ({error.strerror}). Tell the person that firewall.csf in "
                "bellhop.yaml must be looked at"
            ) from error
        origin = Origin(Trust.EXTERNAL, "tool:csf_management")
        said = "\n".join(part for part in (ended.out.strip(), ended.err.strip()) if part)
        if ended.status:
            text = f"{ERROR}csf ended with status {ended.status}\n{said}".rstrip()
            return ToolResult(text, is_error=True, origin=origin)
        return ToolResult(said or "done", origin=origin)


async def _check(context: ToolContext, arguments: CsfArguments) -> None:
    command_words(arguments)


async def _tells(context: ToolContext, arguments: CsfArguments) -> Translations:
    phrase = CALLS.get(arguments.action, LOOK)
    return phrase.filled(address=coded(arguments.address or ""), seconds=arguments.seconds)


class FirewallSettings(Section):
    """The firewall csf of this machine, for csf_management."""

    csf: tuple[str, ...] = ()
    """The command that runs csf on this machine, such as `[sudo, -n, /usr/sbin/csf]`, for
    `csf_management` (docs/examples.md#hosting); empty: no such tool.
    """

    @field_validator("csf")
    @classmethod
    def _absolute(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if words and not Path(words[-1]).is_absolute():
            raise ValueError("the last word must be the whole path of csf, such as /usr/sbin/csf")
        return words


class Firewall(Plugin[FirewallSettings]):
    name = "firewall"
    title = "the firewall csf of this machine"
    settings = FirewallSettings

    def build(self, given: Given[FirewallSettings]) -> Parts:
        if not given.every and not given.settings.csf:
            return Parts()
        return Parts(connectors=(FirewallConnector(given.settings.csf, given.programs),))
