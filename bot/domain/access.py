"""Roles, people, and which roles may use a thing (docs/rules.md#roles)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Role(StrEnum):
    """What a person's request may do.

    Access is list membership; the rank serves `Friend+` and approvals only.
    """

    BANNED = "Banned", 0
    GUEST = "Guest", 1
    BUSINESS = "Business", 2
    FRIEND = "Friend", 2
    PARTNER = "Partner", 3
    MASTER_ADMIN = "MasterAdmin", 4

    _value_: str
    rank: int

    def __new__(cls, name: str, rank: int) -> Self:
        role = str.__new__(cls, name)
        role._value_, role.rank = name, rank
        return role

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a role name, ignoring case and surrounding space.

        Raises ValueError that names the valid roles.
        """
        wanted = text.strip().casefold()
        for role in cls:
            if role.value.casefold() == wanted:
                return role
        raise ValueError(f"unknown role {text.strip()!r}; valid roles are {', '.join(cls)}")


INNER_RANK = 2
"""The lowest rank that may read shared and agent memory."""


@dataclass(frozen=True)
class Access:
    """The roles that a tool, skill or collection is open to. `None` means every role but Banned."""

    roles: frozenset[Role] | None = None

    def allows(self, role: Role) -> bool:
        """MasterAdmin is always allowed, Banned never."""
        if role is Role.BANNED:
            return False
        return role is Role.MASTER_ADMIN or self.roles is None or role in self.roles

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `MasterAdmin, Partner` or `Friend+` (that rank and above).

        Raises ValueError for an unknown role or an empty list, so that a misspelt file fails
        closed.
        """
        roles: set[Role] = set()
        for part in (piece.strip() for piece in text.replace("\n", ",").split(",")):
            if not part:
                continue
            if part.endswith("+"):
                floor = Role.parse(part[:-1]).rank
                roles.update(role for role in Role if role.rank >= floor)
            else:
                roles.add(Role.parse(part))
        if not roles:
            raise ValueError(
                "names no role; leave the section out to open it to everyone but Banned"
            )
        return cls(frozenset(roles))

    def narrowed(self, other: "Access") -> "Access":
        """The roles that are in both."""
        if self.roles is None or other.roles is None:
            return other if self.roles is None else self
        return Access(self.roles & other.roles)

    def describe(self) -> str:
        """The roles in rank order, for people: `Friend, Partner, MasterAdmin` or `everyone`."""
        if self.roles is None:
            return "everyone"
        return ", ".join(role for role in Role if role in self.roles)


CLOSED = Access(frozenset())
"""Open to MasterAdmins only: for a file whose access can no longer be read."""


@dataclass(frozen=True)
class Person:
    """Somebody who talks with Bellhop, as contacts.yaml or the platform names them.

    `id` is the person id that keys memory, todos, tokens and usage: the contact's id, or
    `<platform>-<workspace>-<platform id>` (on Discord without workspace) for people not in it.
    """

    id: str
    name: str
    role: Role
    timezone: str | None = None
    email: str | None = None
    known: bool = False
    """True when contacts.yaml names the person."""
