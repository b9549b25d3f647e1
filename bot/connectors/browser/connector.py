"""The connector "browser"."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.connectors.browser.asking import CheapModel
from bot.connectors.browser.installed import hindrance
from bot.connectors.browser.settings import BrowserSettings
from bot.connectors.native import NativeConnector
from bot.domain.clock import Clock
from bot.domain.files import FileSource
from bot.domain.tool_context import NativeTool
from bot.files.incoming import IncomingFiles
from bot.tools.native.registry import ALWAYS, NEVER, Needs, ToolRegistration
from bot.web.client import WebClient

if TYPE_CHECKING:
    from bot.connectors.browser.sessions import BrowserSessions as OpenSessions


class BrowserConnector(NativeConnector):
    """A real browser for agents.

    Absent, and not imported, unless one is configured and installed.
    """

    id = "browser"

    def __init__(
        self,
        settings: BrowserSettings,
        web: WebClient,
        root: Path,
        clock: Clock,
        files: IncomingFiles,
        model: CheapModel,
        documents: FileSource | None = None,
    ) -> None:
        """`root`: the folder of the sessions' profiles; `files` takes downloads.

        Of `documents`, those that an action names may be uploaded.
        """
        super().__init__()
        self._sessions: OpenSessions | None = None
        self._own: tuple[NativeTool[Any], ...] = ()
        self.needs: Needs = NEVER
        if settings.enabled and not hindrance(settings):
            from bot.connectors.browser.downloads import PageDownloads  # noqa: PLC0415 - imports Playwright
            from bot.connectors.browser.sessions import BrowserSessions  # noqa: PLC0415
            from bot.connectors.browser.tools import BrowserTools  # noqa: PLC0415

            self._sessions = BrowserSessions(settings, web, root, clock)
            downloads = PageDownloads(files)
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
