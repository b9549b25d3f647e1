"""Builds the parts that read files of the home, which may change at run time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot.agents.definitions.registry import AgentRegistry
from bot.agents.settings import AgentSettings
from bot.assembly.ground import Ground
from bot.assembly.plugins import agent_roots, plugin_skills
from bot.memory.tiers import MemoryStore
from bot.sessions.people.contacts import Contacts
from bot.shipped import shipped_dir
from bot.skills.custom import CustomSkills
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.storage.file_locks import lock_of
from bot.storage.markdown import MarkdownStore
from bot.tools.policy.book import POLICY_FILE, PolicyBook


class Definitions(Protocol):
    """Files that define something, read when they change: a broken one keeps its last good version.

    See docs/rules.md#live-files.
    """

    async def load(self) -> None: ...

    async def reload_changed(self) -> bool: ...

    @property
    def problems(self) -> Sequence[object]: ...


@dataclass(frozen=True)
class WrittenHome:
    """Agents, skills, memory, policy and people; shipped files rank behind the home's."""

    prompts: tuple[Path, Path]
    """Where prompts/ is looked for: the home first."""
    skill_roots: tuple[Path, Path]
    contacts: Contacts
    agents: AgentRegistry
    skills: SkillLibrary
    custom_skills: CustomSkills
    manifests: SkillManifests
    memory: MemoryStore
    policy: PolicyBook


def build_written(ground: Ground, contacts: Contacts) -> WrittenHome:
    """Nothing is read here: each part has its own `load`."""
    home = ground.settings.home
    prompts = (home / "prompts", shipped_dir("prompts"))
    skill_roots = (home / "skills", shipped_dir("skills"))
    agents = [*(root / "agents" for root in prompts), *agent_roots(ground.plugins)]
    return WrittenHome(
        prompts,
        skill_roots,
        contacts,
        AgentRegistry(agents, ground.settings.get(AgentSettings)),
        SkillLibrary(skill_roots, plugin_skills(ground.plugins)),
        CustomSkills(ground.database, ground.clock, contacts.role_of),
        SkillManifests(skill_roots),
        MemoryStore(MarkdownStore(home / "memory", lock_of(home, home / "memory"))),
        PolicyBook(home / POLICY_FILE, lock_of(home, home)),
    )
