"""The options and the result of an import."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.access import Access, Role
from bot.domain.json_types import JsonObject
from bot.workshop.review.findings import Finding, ImportRefused

MASTER_ADMIN = Access(frozenset({Role.MASTER_ADMIN}))


@dataclass(frozen=True)
class ImportOptions:
    """What the importing person asked for. `roles` None: nobody but MasterAdmin."""

    by: str
    now: datetime
    roles: Access | None = None
    dry_run: bool = False


@dataclass(frozen=True)
class ImportedItem:
    """The result for one skill.

    `status`: staged, unchanged, refused, or would be staged (a dry run).
    """

    name: str
    given_name: str
    status: str
    format: str
    roles: str
    file: str
    files: int
    tools: tuple[str, ...]
    findings: tuple[Finding, ...]
    updates_live: bool = False

    def to_json(self) -> JsonObject:
        return {
            **vars(self),
            "tools": list(self.tools),
            "findings": [finding.to_json() for finding in self.findings],
        }


@dataclass(frozen=True)
class ImportReport:
    """Everything that an import found and did."""

    source: str
    kind: str
    commit: str | None
    items: tuple[ImportedItem, ...]
    findings: tuple[Finding, ...]
    dry_run: bool = False

    def to_json(self) -> JsonObject:
        items = [item.to_json() for item in self.items]
        return {
            **vars(self),
            "items": items,
            "findings": [finding.to_json() for finding in self.findings],
        }


def parse_roles(text: str | None) -> Access | None:
    """The roles of `--roles`.

    Raises ImportRefused: `all` is no role, and Banned never gets anything.
    """
    if text is None:
        return None
    try:
        access = Access.parse(text)
    except ValueError as error:
        raise ImportRefused(f"--roles: {error}") from None
    if access.roles and Role.BANNED in access.roles:
        raise ImportRefused("--roles: Banned can't be given anything; name other roles")
    return access
