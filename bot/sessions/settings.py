"""`access:`, `sessions:` and `catch_up:` in bellhop.yaml."""

from collections.abc import Mapping
from typing import Annotated, Literal, cast

from pydantic import BeforeValidator, Field

from bot.domain.access import Role
from bot.settings import Section


def _role(value: object) -> object:
    return Role.parse(value) if isinstance(value, str) else value


RoleName = Annotated[Role, BeforeValidator(_role)]
"""A role as people write it, in any case."""


class AccessSettings(Section):
    """How people get their roles (docs/rules.md#roles)."""

    contacts: str = "contacts.yaml"
    """File with the known people, relative to the home folder."""
    default_role: RoleName = Role.GUEST
    """Role of people that neither contacts.yaml nor a role of their platform names."""
    unknown_people: Literal["answer", "pair", "ignore"] = "answer"
    """Unknown people: answered with the default role, asked about first, or ignored."""
    discord_roles: dict[str, RoleName] = Field(default_factory=dict)
    """Discord role id to role."""
    slack_groups: dict[str, RoleName] = Field(default_factory=dict)
    """Slack user group id to role."""

    def role_table(self, name: str) -> Mapping[str, Role]:
        """The table with this name that gives roles of a platform a role here; none has no name."""
        return cast("Mapping[str, Role]", getattr(self, name)) if name else {}


class SessionSettings(Section):
    """How long sessions, questions and their files last.

    See docs/rules.md#conversations-and-sessions.
    """

    idle_minutes: int = Field(default=30, ge=1, le=7 * 24 * 60)
    """A session ends after this time without a message."""
    question_hours: float = Field(default=24, gt=0, le=14 * 24)
    """After this time the assistant's unanswered question is dropped, and its request ends."""
    keep_days: int = Field(default=90, ge=1)
    """Finished turns, ended sessions, visible messages and the cycle log are kept this long."""
    files_person_mb: int = Field(default=200, ge=25)
    """Megabytes for one person's attached files while their requests are open."""
    files_total_mb: int = Field(default=2000, ge=25)
    """The same for all people together."""


class CatchUpSettings(Section):
    """What happens to messages that were written while Bellhop was away.

    See docs/rules.md#catching-up.
    """

    messages: int = Field(default=50, ge=0, le=1000)
    """How many of the newest are answered, per channel, thread and direct conversation."""
    hours: int = Field(default=24, ge=1, le=14 * 24)
    """Older ones are not answered."""
    older: Literal["say", "skip"] = "say"
    """Whether the number of unanswered ones is announced."""


class BookingSettings(Section):
    """Pages on which others book free times of people who want that."""

    enabled: bool = False
    """Whether members can make such a page; it needs console.port and console.public_url."""
    days_ahead: int = Field(default=14, ge=1, le=60)
    """How many days from now are offered."""
    notice_hours: int = Field(default=12, ge=0, le=14 * 24)
    """Earlier times are not offered."""
    most_per_day: int = Field(default=10, ge=1, le=100)
    """The most bookings with one person that are taken in 24 hours."""
