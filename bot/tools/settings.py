"""`tools:` and `approvals:` in bellhop.yaml."""

from typing import Literal

from pydantic import Field

from bot.settings import Section


class ShellSettings(Section):
    """How scripts beside tool files are run."""

    path: str = "/usr/local/bin:/usr/bin:/bin"
    """PATH of the script; nothing else of the program's environment reaches it."""
    kill_grace_s: float = Field(default=2.0, ge=0, le=4)
    """Seconds between asking a script to stop and killing its process group."""


class ToolSettings(Section):
    """What tools may cost, and how long an unlocked one stays unlocked."""

    unlock_scope: Literal["session", "run"] = "session"
    catalogue_tokens: int = Field(default=600, ge=0, le=100_000)
    """Room for one-liners in the system prompt, in estimated tokens (characters / 4)."""
    timeout_s: float = Field(default=60.0, gt=0, le=3600)
    """For tools whose file has no `## Timeout`."""
    output_chars: int = Field(default=16_000, ge=200, le=1_000_000)
    """What a result may hold before its middle is cut out."""
    shell: ShellSettings = ShellSettings()


class ApprovalSettings(Section):
    """Calls that wait for somebody's yes."""

    expire_minutes: float = Field(default=30.0, gt=0, le=7 * 24 * 60)
    """How long a question stays open that was asked while the person was present."""
