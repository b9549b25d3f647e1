"""Where an imported skill comes from, kept beside it in a hidden file that no model sees."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from bot.domain.json_types import JsonObject
from bot.workshop.review.findings import Finding

PROVENANCE = ".provenance.json"
MADE = "made"
"""The format of what mrtool makes."""


@dataclass(frozen=True)
class ImportProvenance:
    """One imported skill with its tools.

    `content`: hash of all that would become live, whatever its roles.
    """

    name: str
    given_name: str
    source: str
    kind: str
    format: str
    part: str
    """Path of its file in the source."""
    commit: str | None
    content: str
    files: Mapping[str, str]
    """SHA-256 by path in the skill's folder."""
    tools: Mapping[str, str]
    """SHA-256 of each tool file by the tool's name."""
    roles: str
    imported_at: str
    imported_by: str
    findings: tuple[Finding, ...] = ()
    x_source: JsonObject = field(default_factory=dict[str, Any])
    approved_at: str = ""
    approved_by: str = ""
    accepted_findings: bool = False
    command: str | None = None
    folder: str = "shared"
    """Where its tools go, below prompts/tools."""
    scripts: Mapping[str, str] = field(default_factory=dict[str, str])
    """SHA-256 of each script beside its tools, by file name."""
    manifest: str = ""
    """The name of the file that goes into skills/ itself."""
    replaces: Mapping[str, str] = field(default_factory=dict[str, str])
    """SHA-256 by name of live files that its own may replace, though they were not imported."""

    @property
    def made(self) -> bool:
        """Whether mrtool made it; else it was imported."""
        return self.format == MADE

    @property
    def subject(self) -> str:
        """What the audit log calls it: a tool, when it is one alone."""
        return "tool" if self.made and self.tools else "skill"

    def approved(self, by: str, at: str, *, accepted: bool) -> "ImportProvenance":
        return replace(self, approved_by=by, approved_at=at, accepted_findings=accepted)

    def dump(self) -> bytes:
        data = {**vars(self), "findings": [finding.to_json() for finding in self.findings]}
        return (json.dumps(data, indent=2, ensure_ascii=True) + "\n").encode()

    @classmethod
    def load(cls, data: bytes) -> "ImportProvenance":
        """Raises ValueError for anything that `dump` did not write."""
        try:
            value = cast("JsonObject", json.loads(data))
            findings = tuple(Finding.from_json(one) for one in value.pop("findings"))
            known = {key: value[key] for key in cls.__dataclass_fields__ if key in value}
            return cls(**known, findings=findings)
        except (TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"is no provenance: {error}") from error


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def content_digest(files: Mapping[str, str], tools: Mapping[str, str]) -> str:
    """One hash over everything that would become live."""
    listing = json.dumps([sorted(files.items()), sorted(tools.items())])
    return digest(listing.encode())
