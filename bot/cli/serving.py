"""One home, served: the app together with its terminals and its control socket."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path

from bot import __version__
from bot.agents.cycle_log.tree import render_tree
from bot.app import App, AppOptions, open_app
from bot.chat.terminal.adapter import terminal_conversation
from bot.chat.terminal.files import read_attachment
from bot.cli.changes import CHANGES, Change, asker
from bot.cli.piping import remove_left_inputs
from bot.domain.chat import Accept
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.lines import lock_of
from bot.domain.models import Model
from bot.domain.processes import ProcessRole
from bot.endpoints.control import ControlServer
from bot.endpoints.health import health_to_json
from bot.endpoints.peer import Handler, Peer
from bot.endpoints.terminals import Fetch, LocalTerminal, SocketTerminals
from bot.errors import HomeInUse
from bot.sessions.opening.attachment_store import named_by_open_work
from bot.settings import Settings

TOLD_CHARS = 200
"""Of what was asked, in a list of runs."""
LEAVES, ENDS, STAYS = "leaves", "ends", "stays"
"""The answer of a process that holds a home to `bellhop run`."""


def socket_path(home: Path) -> Path:
    """The control socket of a home."""
    return home / "data" / "bellhop.sock"


@asynccontextmanager
async def serving(
    home: Path,
    settings: Settings,
    *,
    local: LocalTerminal | None = None,
    agent: str | None = None,
    platforms: bool = False,
    leave: Callable[[], None] | None = None,
    ends: bool = False,
    model: Model | None = None,
    role: ProcessRole = ProcessRole.BOTH,
) -> AsyncGenerator[App]:
    """Take the home and open everything on it; `serve` then runs it.

    `local` is the terminal of this process, when a person sits at it; `platforms` serves Discord
    and Slack too. `leave` is called when a `bellhop run` wants the home that this process holds.
    Without it that is refused, but with `ends` the answer is that this process ends by itself
    before long. `model` answers instead of the configured one. `role` is what this process does
    where several share a database. Raises HomeInUse, SettingsError, StorageError.
    """
    terminals = LineTerminals(read_attachment, local=local)
    runs_turns_only = role is ProcessRole.TURNS
    options = AppOptions(
        home,
        adapters=[] if runs_turns_only else [terminals],
        model=model,
        settings=settings,
        agent=agent,
        platforms=platforms,
        role=role,
    )
    async with open_app(options) as app:
        if runs_turns_only:
            yield app
            return

        async def bring_up(conversation: str) -> None:
            await app.house.chats.outbox.retries.flush("terminal")

        terminals.on_attached = bring_up
        await remove_left_inputs(home, partial(named_by_open_work, app.database))
        handlers = {**terminals.handlers, **_handlers(app, leave, ends=ends)}
        control = ControlServer(socket_path(home), handlers)
        if app.processes is None:
            async with control:
                yield app
            return
        if local is not None and await app.processes.locks.held(LineTerminals.LOCK):
            raise HomeInUse(
                "another process of this home serves its terminals; run this on the machine of"
                " that one, or stop it"
            )
        terminals.while_served = lambda: control
        yield app


class LineTerminals(SocketTerminals):
    """The terminals of a home that several processes may serve, one at a time.

    `while_served` is entered while this process serves them: the control socket.
    """

    LOCK = lock_of("terminal")

    def __init__(self, fetch: Fetch, *, local: LocalTerminal | None = None) -> None:
        super().__init__(fetch, local=local)
        self.while_served: Callable[[], AbstractAsyncContextManager[object]] = nullcontext

    async def run(self, accept: Accept) -> None:
        async with self.while_served():
            await super().run(accept)


def _handlers(app: App, leave: Callable[[], None] | None, *, ends: bool) -> Mapping[str, Handler]:
    async def status(peer: Peer, params: JsonObject) -> JsonValue:
        capabilities = app.model.capabilities
        return {
            "version": __version__,
            "pid": os.getpid(),
            "model": capabilities.label,
            "offline": capabilities.offline,
        }

    async def health(peer: Peer, params: JsonObject) -> JsonValue:
        return health_to_json(await app.house.chats.checkup.look(probe=True))

    async def leave_home(peer: Peer, params: JsonObject) -> JsonValue:
        if leave is None:
            return ENDS if ends else STAYS
        asyncio.get_running_loop().call_soon(leave)  # after this is answered
        return LEAVES

    async def newest_cycles(peer: Peer, params: JsonObject) -> JsonValue:
        """The newest first, each with the tree of `bellhop cycles show --full`."""
        log, cost = app.cycle_log, app.house.ground.meter.cost
        return [
            {
                "id": cycle.cycle_id,
                "person": cycle.person,
                "agent": cycle.agent,
                "status": str(cycle.status),
                "asked": cycle.text[:TOLD_CHARS],
                "tree": render_tree(await log.events(cycle.cycle_id), full=True, cost=cost),
            }
            for cycle in await log.recent(None, int(params["limit"]))
        ]

    async def commands(peer: Peer, params: JsonObject) -> JsonValue:
        person = asker(app, params, tuple(params["roles"]))
        found = await app.commands.skills.of_person(person, terminal_conversation(None))
        return [[command.name, command.description] for command in found]

    return {
        "status": status,
        "commands": commands,
        "cycles.newest": newest_cycles,
        "health": health,
        "home.leave": leave_home,
        **{method: partial(_changed, app, change) for method, change in CHANGES.items()},
    }


async def _changed(app: App, change: Change, peer: Peer, params: JsonObject) -> JsonValue:
    return await change(app, params)
