"""`bellhop chat`: talk with Bellhop in this terminal, or ask one thing with `--once`.

While it runs, the terminal's slash completions stay current: built-ins, and skills as they change.
"""

import asyncio
import contextlib
import gc
import itertools
import logging
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from bot.app import App
from bot.assembly.home_settings import load_settings
from bot.assembly.platforms import platforms_wanted
from bot.chat.terminal.adapter import TerminalChat, terminal_conversation
from bot.chat.terminal.plain import PlainView, lines_of, one_line
from bot.cli.heap import freeze_start, uncollected_start
from bot.cli.home_files import contacts_of, person_at_terminal, terminal_sender
from bot.cli.options import NO_HOME, As, Home, RoleOption
from bot.cli.piping import piped_in
from bot.cli.preflight import preflight
from bot.cli.serving import serving, socket_path
from bot.clock import SystemClock
from bot.domain.messages import Attachment, Conversation, PlatformPerson
from bot.endpoints.attach import BellhopGone, attach
from bot.endpoints.control import connect
from bot.endpoints.peer import Disconnected
from bot.errors import BotError, HomeInUse
from bot.llm.build import warm
from bot.log import open_log, set_up_logging
from bot.settings import LogSettings, Settings

if TYPE_CHECKING:
    from bot.cli.screen import ChatScreen

_LOG_BYTES = 5_000_000
_TRIES = 15
_AGAIN_S = 0.2
_WAITING = """\
  The Bellhop that this was attached to has stopped. This terminal waits until `bellhop run` \
serves the home
  again, because Discord and Slack need that. Ctrl-C leaves."""
AGAIN_S = 5.0
"""How often an attached terminal asks the running Bellhop."""


@dataclass(frozen=True)
class _Wish:
    home: Path
    name: str | None
    role: str | None
    agent: str | None
    once: str | None
    save_to: Path | None

    @property
    def interactive(self) -> bool:
        return self.once is None and sys.stdin.isatty() and sys.stdout.isatty()


def chat(
    name: As = None,
    role: RoleOption = None,
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="Agent to talk with.")
    ] = None,
    once: Annotated[
        str | None, typer.Option("--once", metavar="TEXT", help="Print one answer and exit.")
    ] = None,
    save_to: Annotated[
        Path | None,
        typer.Option(
            "--save-to",
            metavar="FOLDER",
            help="Where files that it hands you are saved: ~/Downloads, else ./downloads.",
        ),
    ] = None,
    home: Home = NO_HOME,
) -> None:
    """Talk with Bellhop here.

    If Bellhop is already running, this attaches to it. Lines can also come from a pipe.
    """
    wish = _Wish(home, name, role, agent, once, save_to)
    preflight(home, ask=wish.interactive)
    with contextlib.suppress(KeyboardInterrupt), uncollected_start():
        asyncio.run(_chat(wish))
        return
    raise typer.Exit(130)


class _End(Enum):
    """How a terminal session ended."""

    LEFT = auto()
    STOPPED = auto()
    """The attached process ended before the person left."""
    DISPLACED = auto()
    """`bellhop run` asked for the home."""


async def _chat(wish: _Wish) -> None:
    gc.freeze()  # modules and classes stay: the collection after the start needn't scan them
    settings = await asyncio.to_thread(load_settings, wish.home)
    if wish.name is not None:
        person_at_terminal(await contacts_of(wish.home), wish.name)
    await asyncio.to_thread(_log_to_file, wish.home, settings)
    with piped_in(wish.home, wanted=wish.once is not None) as piped:
        await _talk(wish, settings, piped)


async def _talk(wish: _Wish, settings: Settings, piped: tuple[Attachment, ...]) -> None:
    """Serve or attach repeatedly, until the person leaves."""
    while (end := await _sit_down(wish, settings, piped)) is not _End.LEFT:
        if end is _End.DISPLACED:
            typer.echo(
                "  `bellhop run` serves this home now; this terminal attaches to it.", err=True
            )
            await _until_served(wish.home, _TRIES)
        elif platforms_wanted(settings):
            typer.echo(_WAITING, err=True)
            await _until_served(wish.home)
        else:
            typer.echo(
                "  The Bellhop that this was attached to has stopped; going on here.", err=True
            )


async def _until_served(home: Path, tries: int | None = None) -> None:
    """Wait until a process answers on this home, for a limited number of tries."""
    for _ in itertools.count() if tries is None else range(tries):
        with contextlib.suppress(Disconnected):
            async with connect(socket_path(home)):
                return
        await asyncio.sleep(_AGAIN_S)


async def _sit_down(wish: _Wish, settings: Settings, piped: tuple[Attachment, ...]) -> _End:
    """Talk until the person leaves, or until the answering process ends."""
    view, terminal = _terminal(wish, piped)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminal.left.set)
    try:
        if not await _serve_or_attach(wish, settings, view, terminal):
            return _End.DISPLACED
    except BellhopGone:
        if wish.interactive:
            return _End.STOPPED
        raise
    if terminal.problem is not None and not wish.interactive:
        raise typer.Exit(1)  # the view has said why
    return _End.LEFT


async def _serve_or_attach(
    wish: _Wish, settings: Settings, view: "ChatScreen | None", terminal: TerminalChat
) -> bool:
    """Run this home, or attach to its process. Retry while that process starts or ends.

    False if `bellhop run` asked for the home and the person is still here.
    """
    for left in range(_TRIES - 1, -1, -1):
        try:
            return await _serve_here(wish, settings, view, terminal)
        except HomeInUse as error:
            in_use = error
        try:
            await _attach(wish, view, terminal, in_use)
            return True
        except BellhopGone:
            raise
        except Disconnected as error:
            if not left:
                raise BotError(f"{in_use} (it does not answer on its control socket)") from error
        await asyncio.sleep(_AGAIN_S)
    raise AssertionError  # the last try has raised


# --- the two ways ---


async def _serve_here(
    wish: _Wish, settings: Settings, view: "ChatScreen | None", terminal: TerminalChat
) -> bool:
    """Run the turns in this process; other terminals may attach to it.

    False when `bellhop run` displaces it.
    """
    sender = terminal_sender(wish.name, wish.role)
    displaced = asyncio.Event()
    leave, ends = (displaced.set, False) if wish.interactive else (None, True)
    async with serving(
        wish.home, settings, local=terminal, agent=wish.agent, leave=leave, ends=ends
    ) as app:
        freeze_start()
        if view is not None:
            view.introduce(app.model.capabilities.label, offline=app.model.capabilities.offline)
        running = asyncio.create_task(app.run(), name="app")
        # While the person types.
        warming = asyncio.create_task(warm(app.model), name="model") if wish.interactive else None
        ends = [asyncio.create_task(event.wait()) for event in (terminal.left, displaced)]
        completing = (
            _completing(_complete_here(app, view, sender, terminal.conversation)) if view else None
        )
        try:
            await asyncio.wait([running, *ends], return_when=asyncio.FIRST_COMPLETED)
            stays = displaced.is_set() and not terminal.left.is_set()
        finally:
            for end in (*ends, warming, completing):
                if end is not None:
                    end.cancel()
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
    return not stays


async def _attach(
    wish: _Wish, view: "ChatScreen | None", terminal: TerminalChat, in_use: HomeInUse
) -> None:
    """Act as a screen of the process that runs this home."""
    if wish.agent is not None:
        raise BotError(f"--agent can't be changed while another process runs this home: {in_use}")
    path = socket_path(wish.home)
    async with connect(path) as client:
        status = cast("dict[str, object]", await client.call("status"))
    freeze_start()
    if view is not None:
        where = f"attached to process {status.get('pid')}"
        view.introduce(str(status.get("model")), offline=bool(status.get("offline")), where=where)
    sender = terminal_sender(wish.name, wish.role)
    completing = _completing(_complete_attached(path, view, sender)) if view else None
    try:
        await attach(path, terminal, terminal.left)
    finally:
        if completing is not None:
            completing.cancel()


def _completing(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    return asyncio.create_task(work, name="completing")


# --- the screen ---


def _terminal(
    wish: _Wish, piped: tuple[Attachment, ...]
) -> "tuple[ChatScreen | None, TerminalChat]":
    read_line = lines_of(_lenient(sys.stdin)) if wish.once is None else one_line(wish.once)
    prompt, render, columns = None, None, None
    if sys.stdout.isatty():
        from bot.cli import screen  # noqa: PLC0415 - prompt_toolkit and rich, for a terminal alone

        render, columns = screen.render, screen.columns
        if wish.interactive:
            history = wish.home / "data" / "terminal_history"
            prompt = screen.ChatScreen(history, folder=Path.cwd())
    tools = sys.stderr.isatty()
    plain = PlainView(
        read_line, sys.stdout, sys.stderr, render=render, columns=columns, tools=tools
    )
    terminal = TerminalChat(
        prompt or plain,
        SystemClock(),
        person=terminal_sender(wish.name, wish.role),
        conversation=terminal_conversation(wish.name),
        folder=Path.cwd(),
        blobs=wish.home.absolute() / "data" / "blobs",
        downloads=_downloads(wish.save_to),
        serial=not wish.interactive,
        piped=piped,
    )
    return prompt, terminal


def _downloads(wanted: Path | None) -> Path:
    """Where files are saved. Not the current folder itself: names there may mean something."""
    usual = Path("~/Downloads").expanduser()
    return (wanted or (usual if usual.is_dir() else Path("downloads"))).absolute()


def _lenient(stream: TextIO) -> TextIO:
    """Standard input whose invalid bytes survive reading; the terminal says so then."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="surrogateescape")
    return stream


def _log_to_file(home: Path, settings: Settings) -> None:
    """Log to data/bellhop.log during a chat, because log lines would break the screen."""
    path = home / "data" / "bellhop.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size > _LOG_BYTES:
            path.replace(path.with_suffix(".log.1"))
    wanted = settings.get(LogSettings)
    set_up_logging(wanted.level, wanted.format, open_log(path))
    for line in settings.ignored:
        logging.getLogger(__name__).warning(line)


async def _complete_here(
    app: App, view: "ChatScreen", sender: PlatformPerson, conversation: Conversation
) -> None:
    """Follow the commands of a Bellhop in this process, until cancelled."""
    person = app.contacts.resolve(conversation.platform, conversation.workspace, sender)
    with contextlib.suppress(BotError):  # then what was known last is completed
        async for commands in app.commands.skills.watch(conversation, app.clock, person):
            view.offer([(command.name, command.description) for command in commands])


async def _complete_attached(path: Path, view: "ChatScreen", sender: PlatformPerson) -> None:
    """Follow the commands of the Bellhop that listens at `path`, until cancelled or it has gone."""
    params = {"person": sender.id, "roles": list(sender.platform_roles)}
    with contextlib.suppress(BotError):
        async with connect(path) as client:
            while True:
                found = cast("list[list[str]]", await client.call("commands", params))
                view.offer([(name, about) for name, about in found])
                await asyncio.sleep(AGAIN_S)
