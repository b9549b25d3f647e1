"""What commands read in the files of a home, which needs neither its database nor the house.

Also the one thing that they write there: a secret in .env.
"""

import asyncio
import getpass
import os
import re
from pathlib import Path

from bot.agents.definitions.registry import AgentRegistry
from bot.agents.settings import AgentSettings
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import agent_roots, known_platforms, plugin_skills, plugins_in
from bot.domain.access import Person
from bot.domain.messages import PlatformPerson
from bot.errors import BotError
from bot.memory.tiers import MemoryStore
from bot.sessions.people.contacts import CONTACTS_FILE, Contacts
from bot.sessions.settings import AccessSettings
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary
from bot.skills.manifests import SkillManifests
from bot.storage.confined import temporary_name
from bot.storage.file_locks import lock_of
from bot.storage.markdown import MarkdownStore
from bot.yaml_file import read_text


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
    """The person at this terminal: the id of `--as`, else the system's user."""
    chosen = name.strip() if name and name.strip() else operator_name() or "me"
    return PlatformPerson(chosen, chosen, platform_roles=(role,) if role else ())


def person_at_terminal(contacts: Contacts, name: str | None, role: str | None = None) -> Person:
    """The person at this terminal. Raises UnknownPerson for an unknown id of `--as`."""
    person = contacts.resolve("terminal", "local", terminal_sender(name, role))
    if name is not None and not person.known:
        raise UnknownPerson(
            f"--as: contacts.yaml has no id {name!r}; it knows {who_is_known(contacts)}"
        )
    return person


def operator_name() -> str:
    """The system's name of the current user; empty if there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may run as a number
        return ""


def set_secret(path: Path, name: str, value: str) -> None:
    """Set one line of .env atomically and keep the others; only its owner may read it."""
    text, path = read_text(path), path.resolve()  # a link stays one
    line = f"{name}={value}"
    pattern = re.compile(rf"^(?:export\s+)?{name}\s*=.*$", re.MULTILINE)
    text = (
        pattern.sub(lambda _: line, text)
        if pattern.search(text)
        else f"{text.rstrip()}\n{line}\n".lstrip()
    )
    new = path.with_name(temporary_name(path.name))
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class UnknownPerson(BotError):
    """contacts.yaml has nobody with this name or id."""


def nobody_known(person: str, contacts: Contacts) -> str:
    """The error for an id without a contact and without data."""
    return (
        f"nothing is kept of {person!r}, and contacts.yaml does not know that id; it knows "
        f"{who_is_known(contacts)}"
    )


def who_is_known(contacts: Contacts) -> str:
    """The ids of contacts, with the names of those whose id does not tell it."""
    return (
        ", ".join(
            one.id if one.id.casefold() == one.name.casefold() else f"{one.id} ({one.name})"
            for one in contacts.people
        )
        or "nobody yet (`bellhop contacts add` adds people)"
    )
