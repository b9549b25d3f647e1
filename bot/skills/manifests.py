"""Skill manifests `skills/<skill_id>.json`: sets of tools that an agent activates for its session.

See docs/rules.md#skills.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Self, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from bot.domain.access import Access, Role
from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.skills import SkillManifest
from bot.errors import DefinitionError, SettingsError
from bot.settings import explain
from bot.storage.definition_files import DefinitionFiles
from bot.yaml_file import YamlPath, parse_yaml

ANTS_LIMIT = 50
"""Most helpers that a manifest may ask for at once."""

OF_THE_PERSON = (
    *("manage_todos", "manage_notes", "knowledge_search", "knowledge_store", "remember", "forget"),
    *("current_time", "calculate", "activate_skill", "deactivate_skill"),
)
"""Tools that no manifest closes: the person's own records, and the way out of it."""

ToolName = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
Ants = Annotated[int, Field(ge=1, le=ANTS_LIMIT)]
log = logging.getLogger(__name__)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, str_strip_whitespace=True)


class _SwarmConfig(_Part):
    default_ants: Ants | None = None
    max_parallel: Ants | None = None


Entry = Annotated[str, Field(max_length=500)]


class _Confine(_Part):
    tools: list[Entry] | None = None
    hosts: list[Entry] | None = None
    paths: list[Entry] | None = None

    @model_validator(mode="after")
    def _limits(self) -> Self:
        if Confinement.parse("", self.model_dump()) is None:
            raise ValueError("limits nothing; name tools, hosts or paths, or leave it out")
        return self


class _Manifest(_Part):
    skill_id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    required_tools: Annotated[list[ToolName], Field(min_length=1, max_length=100)]
    swarm_config: _SwarmConfig = _SwarmConfig()
    description: Annotated[str, StringConstraints(max_length=500)] = ""
    access: str | None = None
    confine: _Confine | None = None
    words: Annotated[list[Entry], Field(max_length=200)] = []

    @field_validator("access")
    @classmethod
    def _known_roles(cls, value: str | None) -> str | None:
        if value is not None:
            Access.parse(value)
        return value


def parse_manifest(path: Path, text: str) -> SkillManifest:
    """Read a manifest's text; `path` names it.

    Raises DefinitionError with file, line and remedy.
    """
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise DefinitionError(
            f"{path}, line {error.lineno}: is not JSON ({error.msg}); correct it there"
        ) from None
    except RecursionError:
        raise DefinitionError(
            f"{path}: is nested too deeply; a manifest has eight keys, none deep"
        ) from None
    try:
        given = _Manifest.model_validate(value)
    except ValidationError as error:
        # Report a misspelt key before the missing one that it was meant to be.
        where, problem = min(
            explain(error, _Manifest), key=lambda found: "is not a setting" not in found[1]
        )
        name = ".".join(str(part) for part in where) or "the manifest"
        raise DefinitionError(f"{path}, line {_line(text, where)}: {name} {problem}") from None
    if given.skill_id != path.stem:
        raise DefinitionError(
            f"{path}, line {_line(text, ('skill_id',))}: the skill is {given.skill_id} but its "
            f"file {path.name};"
            " rename one of them"
        )
    return SkillManifest(
        skill_id=given.skill_id,
        name=given.name,
        required_tools=tuple(dict.fromkeys(given.required_tools)),
        default_ants=given.swarm_config.default_ants,
        max_parallel=given.swarm_config.max_parallel,
        source=path,
        description=" ".join(given.description.split()),
        access=Access() if given.access is None else Access.parse(given.access),
        confinement=_confinement(given),
        words=tuple(given.words),
    )


def _manifest_access(path: Path, text: str) -> Access:
    """Read only the access of a manifest that is otherwise invalid.

    Raises DefinitionError when that is not certain, also for a key that may be a misspelt `access`.
    """
    try:
        value: Any = json.loads(text)
        known = (
            isinstance(value, dict)
            and not cast("JsonObject", value).keys() - _Manifest.model_fields.keys()
        )
        if isinstance(value, dict) and isinstance(
            given := cast("JsonObject", value).get("access"), str
        ):
            return Access.parse(given)
        if known and "access" not in value:
            return Access()
    except (ValueError, RecursionError):
        pass
    raise DefinitionError(f"{path}: whom the manifest is for can't be read")


def _confinement(given: _Manifest) -> Confinement | None:
    if given.confine is None:
        return None
    lists = given.confine.model_dump()
    if lists["tools"] is not None:
        lists["tools"] = [*lists["tools"], *OF_THE_PERSON]
    return Confinement.parse(f"the skill {given.skill_id}", lists)


def _line(text: str, where: YamlPath) -> int:
    """JSON is YAML, and the YAML reader knows on which line everything stands."""
    try:
        return parse_yaml(text.replace("\t", " "), "").line(where)
    except SettingsError:
        return 1


class SkillManifests:
    """The manifests `<skill_id>.json` in the folders `roots`: the home's, then shipped ones.

    A file in an earlier root hides that of the same name in a later one. A broken one keeps its
    last valid version, for roles that both name, and is named in `problems`. Nothing is read before
    `load`.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self._files = DefinitionFiles(roots, "*.json", parse_manifest, _manifest_access)
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
