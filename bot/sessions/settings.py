"""`access:`, `sessions:` and `catch_up:` in bellhop.yaml."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from bot.domain.access import Role
from bot.settings import Section


def _role(value: object) -> object:
    return Role.parse(value) if isinstance(value, str) else value


RoleName = Annotated[Role, BeforeValidator(_role)]
"""A role as people write it, in any case."""


class AccessSettings(Section):
    """How people get their roles (docs/rules.md#roles)."""

    default_role: RoleName = Role.GUEST
    """Role of people that neither contacts.yaml nor a role of their platform names."""
    unknown_people: Literal["answer", "pair", "ignore"] = "answer"
    """People whom nothing names: `answer` them with the default role, `pair` asks a MasterAdmin
    first, `ignore` leaves them alone. See docs/people.md#people.
    """
    roles: dict[str, dict[str, RoleName]] = Field(default_factory=dict[str, dict[str, Role]])
    """Which role a role of a platform gives, by the id that it has there: `{discord: {"456":
    Friend}, slack: {S0123: Partner}}`, for Discord's roles and Slack's user groups.
    """


class SessionSettings(Section):
    """How long sessions and what they leave behind last.

    See docs/rules.md#conversations-and-sessions.
    """

    idle_minutes: int = Field(default=30, ge=1, le=7 * 24 * 60)
    """A session ends after this time without a message."""
    keep_days: int = Field(default=90, ge=1)
    """How long finished turns, ended sessions, messages of channels, mail of agents and the cycle
    log are kept.
    """


class CatchUpSettings(Section):
    """What happens to messages that were written while Bellhop was away.

    See docs/rules.md#catching-up.
    """

    messages: int = Field(default=50, ge=0, le=1000)
    """How many of the newest messages are answered after a time without Bellhop, in each channel,
    thread and direct conversation; none that is older than a day.
    """
