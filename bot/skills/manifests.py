"""Skill manifests: sets of tools that an agent activates for its session (docs/rules.md#skills)."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bot.domain.access import Access, Role
from bot.domain.skills import SkillManifest
from bot.skills.manifest_file import manifest_access, parse_manifest
from bot.storage.definition_files import DefinitionFiles

log = logging.getLogger(__name__)


class SkillManifests:
    """The manifests `<skill_id>.json` in the folders `roots`: the home's, then shipped ones.

    A file in an earlier root hides that of the same name in a later one. A broken one keeps its
    last valid version, for roles that both name, and is named in `problems`. Nothing is read before
    `load`.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self._files = DefinitionFiles(roots, "*.json", parse_manifest, manifest_access)
        self._manifests: dict[str, SkillManifest] = {}
        self._problems: tuple[str, ...] = ()

    async def load(self) -> None:
        """Read all files. Never raises for a broken one; see `problems`."""
        await self.reload_changed()

    async def reload_changed(self) -> bool:
        """Read new and changed files; True if manifests or problems changed."""
        before = (self._manifests, self._problems)
        manifests: dict[str, SkillManifest] = {}
        still_for: dict[str, Access] = {}
        problems: list[str] = []
        for root in await self._files.reload():
            for file in root:
                if file.problem:
                    problems.append(file.problem)
                skill_id = file.path.stem
                if skill_id in manifests:
                    continue
                # A broken file without a good version still hides the one of the same name.
                access = still_for[skill_id] = still_for.get(skill_id, Access()).narrowed(
                    file.access
                )
                if (good := file.good) is not None:
                    manifests[skill_id] = replace(good, access=good.access.narrowed(access))
        self._manifests, self._problems = manifests, tuple(problems)
        for problem in self._problems:
            if problem not in before[1]:
                log.warning("%s", problem)
        return (self._manifests, self._problems) != before

    @property
    def problems(self) -> tuple[str, ...]:
        """Problems of the files, one sentence each, with file, line and remedy."""
        return self._problems

    def all(self) -> tuple[SkillManifest, ...]:
        """Every manifest, by id."""
        return tuple(self._manifests[skill_id] for skill_id in sorted(self._manifests))

    def for_role(self, role: Role) -> tuple[SkillManifest, ...]:
        """The manifests that a person of this role may know of, by id."""
        return tuple(manifest for manifest in self.all() if manifest.access.allows(role))

    def get(self, skill_id: str, role: Role) -> SkillManifest | None:
        """A manifest that is open to this role."""
        manifest = self._manifests.get(skill_id)
        return manifest if manifest is not None and manifest.access.allows(role) else None

    def tools_of(self, skill_ids: Iterable[str], role: Role) -> frozenset[str]:
        """The tools of these skills from any folder, before the check of the role."""
        found = (self.get(skill_id, role) for skill_id in skill_ids)
        return frozenset(
            tool for manifest in found if manifest is not None for tool in manifest.required_tools
        )
