"""The firewall csf of this machine, where the settings name its command."""

from pathlib import Path

from pydantic import field_validator

from bot.plugin.plugin import Given, Parts, Plugin, Section
from bot.plugins.firewall.connector import FirewallConnector


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
