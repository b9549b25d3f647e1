"""`tools:` and `approvals:` in bellhop.yaml."""

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from bot.settings import Section
from bot.tools.prices import Price


class ShellSettings(Section):
    """How scripts beside tool files are run."""

    path: str = "/usr/local/bin:/usr/bin:/bin"
    """PATH of the script; nothing else of the program's environment reaches it."""
    kill_grace_s: float = Field(default=2.0, ge=0, le=4)
    """Seconds between asking a script to stop and killing its process group."""
    sandbox: Literal["bubblewrap", "none"] = "bubblewrap"
    """`none` runs scripts as Bellhop's own user, who can read the database and `.env`."""
    readable: tuple[str, ...] = ()
    """Folders and files of this machine that tool files may open to their scripts with `read:` lines."""
    processes: int = Field(default=256, ge=8, le=100_000)
    """How many processes a script in the sandbox may have."""
    scratch_mb: int = Field(default=256, ge=1, le=100_000)
    """Room for what a script in the sandbox writes, in megabytes of memory."""

    @field_validator("readable")
    @classmethod
    def _absolute(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        for path in paths:
            if not Path(path).is_absolute() or Path(path) == Path("/"):
                raise ValueError(
                    f"{path!r} must be the absolute path of a folder or file, such as /srv/shared"
                )
        return paths


class HttpToolSettings(Section):
    """What tools that are requests may use."""

    secrets: tuple[str, ...] = ()
    """Names of secrets (environment or .env) that tool files may send with `{secret:NAME}`."""


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
    http: HttpToolSettings = HttpToolSettings()


class ApprovalSettings(Section):
    """Calls that wait for somebody's yes."""

    expire_minutes: float = Field(default=30.0, gt=0, le=7 * 24 * 60)
    """How long a question stays open that was asked while the person was present."""
    notify: Literal["needed", "conversation", "admins"] = "needed"
    """Whether MasterAdmins are told directly of what waits for a higher role; `needed`: if nobody there can decide."""


class PolicySettings(Section):
    """Where the rules about calls and outputs stand."""

    file: str = "policy.yaml"
    """Below the home folder; read again when it changes."""


class ChatShapeSettings(Section):
    """What runs in a conversation have."""

    allow_web: bool = False
    """Whether web_search and web_fetch can be found in conversations too, not only in research.

    See docs/rules.md#kinds-of-run.
    """


class RunShapeSettings(Section):
    """Exceptions from what the shape of a run fixes."""

    chat: ChatShapeSettings = ChatShapeSettings()


class PriceSettings(Section):
    """What a model costs, in US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float | None = Field(default=None, ge=0)
    """Default: a tenth of `input`."""
    cache_write: float | None = Field(default=None, ge=0)
    """Default: `input` and a quarter."""

    def price(self) -> Price:
        read = self.input / 10 if self.cache_read is None else self.cache_read
        write = self.input * 1.25 if self.cache_write is None else self.cache_write
        return Price(self.input, self.output, read, write)


class BudgetSettings(Section):
    """Hard limits; without a number there is none. Days are those of the setting `timezone`."""

    per_turn_usd: float | None = Field(default=None, gt=0)
    """For one request of a person, delegated agents included."""
    per_person_day_usd: float | None = Field(default=None, gt=0)
    per_channel_day_usd: float | None = Field(default=None, gt=0)
    """For all people in one channel, its threads included."""
    total_day_usd: float | None = Field(default=None, gt=0)
    per_turn_model_calls: int | None = Field(default=None, ge=1)
    per_person_day_model_calls: int | None = Field(default=None, ge=1)
    per_channel_day_model_calls: int | None = Field(default=None, ge=1)
    total_day_model_calls: int | None = Field(default=None, ge=1)
    per_turn_tool_calls: int | None = Field(default=None, ge=1)
    per_person_day_tool_calls: int | None = Field(default=None, ge=1)
    per_channel_day_tool_calls: int | None = Field(default=None, ge=1)
    total_day_tool_calls: int | None = Field(default=None, ge=1)
    per_guest_day_model_calls: int = Field(default=100, ge=0)
    """For a person with the role Guest, whose request takes two to four calls; 0: no limit."""
    per_guest_day_usd: float | None = Field(default=None, gt=0)
    strangers_day_model_calls: int = Field(default=500, ge=0)
    """For all guests together that contacts.yaml does not name; 0: no limit."""
    strangers_day_usd: float | None = Field(default=None, gt=0)
    per_schedule_month_model_calls: int = Field(default=1_000, ge=0)
    """For the runs of one schedule in a calendar month; 0: no limit but what its owner gave it."""
    per_schedule_month_usd: float | None = Field(default=None, gt=0)
    prices: dict[str, PriceSettings] = Field(default_factory=dict)
    """By the name of the model as its provider knows it."""
