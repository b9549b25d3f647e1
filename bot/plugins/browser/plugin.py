"""The browser: pages that need clicks or a login."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.plugin.asking import CheapModel
from bot.plugin.files import FileSource, IncomingFiles
from bot.plugin.plugin import Clock, Given, Lacking, Parts, Plugin, Setup
from bot.plugin.readers import FileReaders
from bot.plugin.services import WebClient
from bot.plugin.tools import ALWAYS, NEVER, NativeConnector, NativeTool, Needs, ToolRegistration
from bot.plugins.browser.installed import executable, hindrance
from bot.plugins.browser.profiles import person_folder
from bot.plugins.browser.settings import BrowserSettings

if TYPE_CHECKING:
    from bot.plugins.browser.sessions import BrowserSessions as OpenSessions


class BrowserConnector(NativeConnector):
    """A real browser for agents.

    Absent, and not imported, unless one is configured and installed.
    """

    id = "browser"

    def __init__(  # noqa: PLR0913 - each is what one of its tools stands on
        self,
        settings: BrowserSettings,
        web: WebClient,
        root: Path,
        clock: Clock,
        files: IncomingFiles,
        model: CheapModel,
        documents: FileSource | None = None,
        *,
        readers: FileReaders,
    ) -> None:
        """`root`: the folder of the sessions' profiles; `files` takes downloads.

        Of `documents`, those that an action names may be uploaded. `readers` read downloads.
        """
        super().__init__()
        self._root = root
        self._sessions: OpenSessions | None = None
        self._own: tuple[NativeTool[Any], ...] = ()
        self.needs: Needs = NEVER
        if settings.enabled and not hindrance(settings):
            from bot.plugins.browser.downloads import PageDownloads  # noqa: PLC0415 - imports Playwright
            from bot.plugins.browser.sessions import BrowserSessions  # noqa: PLC0415
            from bot.plugins.browser.tools import BrowserTools  # noqa: PLC0415

            self._sessions = BrowserSessions(settings, web, root, clock)
            downloads = PageDownloads(files, readers)
            self._own = BrowserTools(self._sessions, web, model, downloads, documents).all()
            self.needs = ALWAYS

    def registrations(self) -> Sequence[ToolRegistration]:
        return (ToolRegistration(self._own),)

    @property
    def tasks(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """Background work: unused sessions are closed."""
        return (self._sessions.run,) if self._sessions is not None else ()

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these people who have a browser profile."""
        return () if self._sessions is None else await self._sessions.holding(persons)

    def folders_of(self, person: str) -> Sequence[Path]:
        """Where the profiles of a person lie."""
        return (self._root / person_folder(person),)

    @property
    def open_sessions(self) -> int:
        return self._sessions.count if self._sessions is not None else 0

    async def move(self, earlier: str, person: str) -> None:
        """From now on one person id's logins belong to another."""
        if self._sessions is not None:
            await self._sessions.move(earlier, person)

    async def close(self) -> None:
        """Close every session and the browser; logins are kept."""
        if self._sessions is not None:
            await self._sessions.close()


_TOOLS = frozenset({"browser_navigate", "browser_act", "browser_observe", "browser_extract"})


class Browser(Plugin[BrowserSettings]):
    name = "browser"
    title = "a real browser, with logins that last"
    settings = BrowserSettings

    def build(self, given: Given[BrowserSettings]) -> Parts:
        connector = BrowserConnector(
            given.settings,
            given.web,
            given.folder,
            given.clock,
            given.incoming,
            given.cheap,
            given.documents,
            readers=given.reader.readers,
        )
        return Parts(connectors=(connector,), own_tasks=connector.tasks)

    def lacks(self, setup: Setup[BrowserSettings]) -> Sequence[Lacking]:
        on = setup.settings.enabled
        step = hindrance(setup.settings) if on else "set browser.enabled: true"
        if not step:
            return ()
        gives = "pages that need clicks or a login"
        return (Lacking("The browser", gives, _TOOLS, step, "docs/browser.md", begun=on),)

    def problems(self, setup: Setup[BrowserSettings]) -> Sequence[str]:
        wanted = setup.settings
        if not wanted.enabled:
            return ()
        if problem := hindrance(wanted):
            return (problem,)
        if not wanted.cdp_url and not wanted.sandbox:
            where = executable(wanted)
            return (f"{where} runs without its own sandbox (browser.sandbox: false)",)
        return ()

    def state(self, setup: Setup[BrowserSettings]) -> str:
        wanted = setup.settings
        return (wanted.cdp_url or executable(wanted)) if wanted.enabled else ""
