"""What reading commands look at: the files of a home, and its database opened beside whoever runs on it."""

import asyncio
import getpass
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bot.domain.access import Person
from bot.domain.messages import PlatformPerson

if TYPE_CHECKING:
    from bot.agents.registry import AgentRegistry
    from bot.app import App
    from bot.memory.tiers import MemoryStore
    from bot.sessions.contacts import Contacts
    from bot.skills.library import SkillLibrary
    from bot.skills.manifests import SkillManifests
    from bot.tools.catalog import ToolCatalog

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine; log lines stay quiet, because a command says itself what is wrong."""
    from bot.log import set_up_logging  # noqa: PLC0415 - not for --help

    set_up_logging("ERROR")
    return asyncio.run(work)


@asynccontextmanager
async def looking(home: Path) -> "AsyncGenerator[App]":
    """The app of a home for reading only; works beside a running Bellhop. Raises StorageError without a database."""
    from bot.app import AppOptions, open_app  # noqa: PLC0415 - imports the house

    async with open_app(AppOptions(home, read_only=True)) as app:
        yield app


async def catalog_of(home: Path) -> "ToolCatalog":
    """The tool files of a home, which need no database."""
    from bot.shipped import shipped_dir  # noqa: PLC0415
    from bot.tools.catalog import ToolCatalog  # noqa: PLC0415

    catalog = ToolCatalog((home / "prompts", shipped_dir("prompts")))
    await catalog.load()
    return catalog


async def agents_of(home: Path) -> "AgentRegistry":
    from bot.agents.registry import AgentRegistry  # noqa: PLC0415
    from bot.shipped import shipped_dir  # noqa: PLC0415

    agents = AgentRegistry((home / "prompts" / "agents", shipped_dir("prompts") / "agents"))
    await agents.load()
    return agents


async def skills_of(home: Path) -> "SkillLibrary":
    from bot.shipped import shipped_dir  # noqa: PLC0415
    from bot.skills.library import SkillLibrary  # noqa: PLC0415

    library = SkillLibrary((home / "skills", shipped_dir("skills")))
    await library.load()
    return library


async def manifests_of(home: Path) -> "SkillManifests":
    from bot.shipped import shipped_dir  # noqa: PLC0415
    from bot.skills.manifests import SkillManifests  # noqa: PLC0415

    manifests = SkillManifests((home / "skills", shipped_dir("skills")))
    await manifests.load()
    return manifests


async def contacts_of(home: Path) -> "Contacts":
    """The known people. Raises SettingsError for a broken file."""
    from bot.app import load_settings  # noqa: PLC0415
    from bot.sessions.contacts import Contacts  # noqa: PLC0415
    from bot.sessions.settings import AccessSettings  # noqa: PLC0415

    access = (await asyncio.to_thread(load_settings, home)).get(AccessSettings)
    return await asyncio.to_thread(Contacts.load, home / access.contacts, access)


def memory_of(home: Path) -> "MemoryStore":
    from bot.memory.tiers import MemoryStore  # noqa: PLC0415
    from bot.storage.markdown import MarkdownStore  # noqa: PLC0415

    return MemoryStore(MarkdownStore(home / "memory"))


def terminal_sender(name: str | None, role: str | None = None) -> PlatformPerson:
    """Who sits at this terminal: the name of `--as`, else the system's user."""
    chosen = name.strip() if name and name.strip() else _system_user()
    return PlatformPerson(chosen, chosen, platform_roles=(role,) if role else ())


def person_at_terminal(contacts: "Contacts", name: str | None, role: str | None = None) -> Person:
    return contacts.resolve("terminal", "local", terminal_sender(name, role))


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without a user database
        return "me"
