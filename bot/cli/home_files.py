"""What commands read in the files of a home, which needs neither its database nor the house."""

import asyncio
import getpass
from pathlib import Path

from bot.agents.definitions.registry import AgentRegistry
from bot.agents.settings import AgentSettings
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import agent_roots, known_platforms, plugin_skills, plugins_in
from bot.cli.unknown_person import UnknownPerson, who_is_known
from bot.domain.access import Person
from bot.domain.messages import PlatformPerson
from bot.memory.tiers import MemoryStore
from bot.sessions.people.contacts import CONTACTS_FILE, Contacts
from bot.sessions.settings import AccessSettings
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.storage.file_locks import lock_of
from bot.storage.markdown import MarkdownStore


async def agents_of(home: Path, settings: AgentSettings | None = None) -> AgentRegistry:
    plugins = await asyncio.to_thread(plugins_in, home)
    prompts = (home / "prompts", shipped_dir("prompts"))
    roots = (*(root / "agents" for root in prompts), *agent_roots(plugins))
    agents = AgentRegistry(roots, settings)
    await agents.load()
    return agents


async def skills_of(home: Path) -> SkillLibrary:
    plugins = await asyncio.to_thread(plugins_in, home)
    of_connectors = plugin_skills(plugins)
    library = SkillLibrary((home / "skills", shipped_dir("skills")), of_connectors)
    await library.load()
    return library


async def manifests_of(home: Path) -> SkillManifests:
    manifests = SkillManifests((home / "skills", shipped_dir("skills")))
    await manifests.load()
    return manifests


async def contacts_of(home: Path) -> Contacts:
    """The known people. Raises SettingsError for a broken file."""
    settings = await asyncio.to_thread(load_settings, home)
    access, known = settings.get(AccessSettings), known_platforms(settings)
    path = home / CONTACTS_FILE
    lock = lock_of(home, home)
    return await asyncio.to_thread(Contacts.load, path, known, access, lock)


def memory_of(home: Path) -> MemoryStore:
    return MemoryStore(MarkdownStore(home / "memory", lock_of(home, home / "memory")))


def terminal_sender(name: str | None, role: str | None = None) -> PlatformPerson:
    """The person at this terminal: the name of `--as`, else the system's user."""
    chosen = name.strip() if name and name.strip() else _system_user()
    return PlatformPerson(chosen, chosen, platform_roles=(role,) if role else ())


def person_at_terminal(contacts: Contacts, name: str | None, role: str | None = None) -> Person:
    """The person at this terminal. Raises UnknownPerson for an unknown name of `--as`."""
    person = contacts.resolve("terminal", "local", terminal_sender(name, role))
    if name is not None and not person.known:
        raise UnknownPerson(
            f"--as: contacts.yaml does not know {name!r}; it knows {who_is_known(contacts)}"
        )
    return person


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without a user database
        return "me"
