"""The browser: pages that need clicks or a login."""

from collections.abc import Sequence

from bot.plugin.plugin import Given, Lacking, Parts, Plugin, Setup
from bot.plugins.browser.connector import BrowserConnector
from bot.plugins.browser.installed import executable, hindrance
from bot.plugins.browser.settings import BrowserSettings

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
