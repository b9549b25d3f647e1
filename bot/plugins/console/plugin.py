"""The web console: `console.website` switches it on."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.site import Site, SiteGround
from bot.plugins.console.session_store import purge_links, purge_sessions


class Console(Plugin[NoSettings]):
    name = "console"
    title = "a web console for the operator and for members"
    purges = (purge_links, purge_sessions)

    def build(self, given: Given[NoSettings]) -> Parts:
        def site(ground: SiteGround) -> Site:
            from bot.plugins.console.website import build_website  # noqa: PLC0415 - only where it is on

            return build_website(given, ground)

        return Parts(site=site)
