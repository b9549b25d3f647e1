"""Access of commands to a home's house and database, beside the process that serves it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar, cast

from bot.app import AppOptions, native_tools, open_app, open_read_only
from bot.assembly.database import opened
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import plugins_in, tool_roots
from bot.cli.changes import CHANGES, answer_of_plugin
from bot.cli.home_files import contacts_of, person_at_terminal, terminal_sender
from bot.cli.printing import inert
from bot.cli.serving import socket_path
from bot.clock import SystemClock
from bot.domain.json_types import JsonObject
from bot.endpoints.control import connect
from bot.errors import BotError, HomeInUse, StorageError
from bot.llm.no_model import NoModel
from bot.plugin.command_line import Ask
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.contacts import Contacts
from bot.shipped import shipped_dir
from bot.tools.catalog.catalog import ToolCatalog

T = TypeVar("T")


@asynccontextmanager
async def asking(home: Path, plugin: str) -> AsyncGenerator[Ask]:
    """How to ask a plug-in's part of a house: here, or in the process that runs the home."""
    try:
        async with open_app(AppOptions(home, model=NoModel())) as app:
            yield partial(answer_of_plugin, app, plugin)
    except HomeInUse:
        async with connect(socket_path(home)) as client:

            async def ask(name: str, params: JsonObject) -> JsonObject:
                asked: JsonObject = {"plugin": plugin, "name": name, "params": params}
                answer = await client.call("plugins.answer", asked, timeout_s=None)
                return cast("JsonObject", answer)

            yield ask


@asynccontextmanager
async def asking_read_only(home: Path, plugin: str) -> AsyncGenerator[Ask]:
    """The same in a house that is opened for reading only.

    Raises StorageError without a database.
    """
    async with open_read_only(home) as app:
        yield partial(answer_of_plugin, app, plugin)


async def here_or_asked(
    home: Path,
    here: Callable[[], Awaitable[T]],
    method: str,
    params: JsonObject,
    timeout_s: float | None = 30.0,
) -> tuple[T, bool]:
    """Call `here` on a free home, or ask the process that runs it through the control socket.

    `method` with `params` does the same there. True if it was done here, and nobody runs who would
    continue it.
    """
    try:
        return await here(), True
    except HomeInUse:
        async with connect(socket_path(home)) as client:
            return cast("T", await client.call(method, params, timeout_s=timeout_s)), False


async def changed(
    home: Path, method: str, params: JsonObject, timeout_s: float | None = 30.0
) -> tuple[JsonObject, bool]:
    """The result of one of CHANGES, as `here_or_asked`."""

    async def here() -> JsonObject:
        async with open_app(AppOptions(home)) as app:
            return cast("JsonObject", await CHANGES[method](app, params))

    return await here_or_asked(home, here, method, params, timeout_s)


class NotDone(BotError):
    """A command did nothing; the text says why."""


async def decided(
    home: Path, name: str | None, method: str, params: JsonObject, done: str = ""
) -> tuple[str, bool]:
    """The sentence of a decision by the person at this terminal (`--as`), as `changed`.

    `done`: the field, if any, that says whether it was done. Raises NotDone if it was not,
    StorageError without any data, UnknownPerson.
    """
    if not await asyncio.to_thread((home / "data").is_dir):
        raise StorageError(
            f"{home} has no data yet, so there is nothing to decide; is it the right --home?"
        )
    person_at_terminal(await contacts_of(home), name)  # raises before anything opens
    given = {"person": terminal_sender(name).id, **params}
    outcome, here = await changed(home, method, given)
    if done and not outcome[done]:
        raise NotDone(str(outcome["text"]))
    return inert(str(outcome["text"])), here


async def catalog_of(home: Path) -> ToolCatalog:
    """The tool files of a home, which need no database."""
    natives = await asyncio.to_thread(native_tools, home)
    plugins = await asyncio.to_thread(plugins_in, home)
    roots = (home / "prompts", shipped_dir("prompts"), *tool_roots(plugins))
    catalog = ToolCatalog(roots, natives=natives)
    await catalog.load()
    return catalog


async def judged_contacts(home: Path) -> Contacts:
    """The known people, compared with the record of this home if it has one.

    Raises SettingsError for a broken file.
    """
    contacts = await contacts_of(home)
    if not await asyncio.to_thread((home / "data").is_dir):
        return contacts
    settings = await asyncio.to_thread(load_settings, home)
    with contextlib.suppress(BotError):  # of another version, or not begun: a start says why
        async with opened(settings, read_only=True) as database:
            record = ContactRecord(database, SystemClock(), contacts.platforms)
            await contacts.follow_record(record, only_look=True)
            contacts.record = None  # its database is closed
    return contacts
