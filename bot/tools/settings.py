"""`tools:` and `approvals:` in bellhop.yaml."""

import re
from typing import Literal

from pydantic import Field, field_validator

from bot.settings import AbsolutePaths, Section

_SERVER_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_SERVER = re.compile(
    r"https?://"
    r"(?:(?:(?:[A-Za-z0-9-]+|\{[A-Za-z_][A-Za-z0-9_-]*\})\.)*[A-Za-z0-9-]+\.[A-Za-z0-9-]+"
    r"|[A-Za-z0-9-]+|\[[0-9A-Fa-f:.]+\])"
    r"(?::[0-9]{1,5})?(?:/[^\s?#{}]*)?"
)


class ShellSettings(Section):
    """How scripts beside tool files are run."""

    sandbox: Literal["bubblewrap", "none"] = "bubblewrap"
    """What scripts run in; without bubblewrap they are off.

    `none` runs them as Bellhop's own user, who can read the database and `.env`.
    """
    readable: AbsolutePaths = ()
    """Folders and files of this machine that tool files may open to their scripts with `read:`
    lines.
    """


class HttpToolSettings(Section):
    """Limits of HTTP request tools."""

    secrets: tuple[str, ...] = ()
    """Names of secrets (environment or .env) that tool files may send with `{secret:NAME}`."""
    servers: dict[str, str] = Field(default_factory=dict[str, str])
    """Addresses by name, for tool files that begin theirs with `{server:name}`, such as `{proxmox:
    "https://pve.example.org:8006"}`.
    """

    @field_validator("servers")
    @classmethod
    def _addresses(cls, servers: dict[str, str]) -> dict[str, str]:
        for name, url in servers.items():
            if not _SERVER_NAME.fullmatch(name):
                raise ValueError(f"{name[:40]!r} must be a name of letters, digits, _ and -")
            if not _SERVER.fullmatch(url):
                raise ValueError(
                    f"{name}: {url[:80]!r} must be an address such as https://pve.example.org:8006;"
                    " an argument may only stand for a part before the last two of its host"
                )
        return servers


class ToolSettings(Section):
    """Limits of tool calls, and the sandbox of scripts."""

    unlock_scope: Literal["session", "run"] = "session"
    """How long a found tool stays unlocked."""
    shell: ShellSettings = ShellSettings()
    http: HttpToolSettings = HttpToolSettings()


class ApprovalSettings(Section):
    """Calls that wait for approval."""

    expire_minutes: float = Field(default=30.0, gt=0, le=7 * 24 * 60)
    """A call without a decision expires after this time; the person who asked is told."""
    notify: Literal["needed", "conversation", "admins"] = "needed"
    """Whether MasterAdmins also get direct messages about calls that wait for a higher role.

    `needed`: when nobody who wrote in that conversation can decide; `admins`: always;
    `conversation`: never.
    """


class ChatShapeSettings(Section):
    """Settings of runs in a conversation."""

    allow_web: bool = False
    """Whether `web_search` and `web_fetch` can be found in conversations too.

    Else only research and the first look at a new person have them. See docs/rules.md#kinds-of-run.
    """


class RunShapeSettings(Section):
    """Exceptions from the rules of a kind of run."""

    chat: ChatShapeSettings = ChatShapeSettings()
