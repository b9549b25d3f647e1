"""Shipped tools that need a key or a program of the operator: what is missing, by role."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bot.connections.offers import Admins, Unfinished
from bot.connectors.web import brave, firecrawl
from bot.domain.access import Person
from bot.domain.finding import ServiceOffer
from bot.knowledge.making.maker import plots_there
from bot.plugin.plugin import Lacking


@dataclass(frozen=True)
class _Part:
    id: str
    gives: str
    tools: frozenset[str]
    unfinished: Unfinished


class KeyedOffers:
    """What these settings leave without a key or a program."""

    def __init__(
        self,
        secret: Callable[[str], str | None],
        of_plugins: Callable[[], Iterable[tuple[str, Lacking]]] = tuple,
    ) -> None:
        """`of_plugins`: what plug-ins lack, by their names."""
        self._of_plugins = of_plugins
        self._secret = secret

    def __call__(self, person: Person, admins: Admins) -> tuple[ServiceOffer, ...]:
        return tuple(
            ServiceOffer(
                one.id,
                one.unfinished.title,
                one.gives,
                one.tools,
                one.unfinished.way(person, admins),
            )
            for one in self._parts()
        )

    def _parts(self) -> Iterator[_Part]:
        if not self._secret(brave.KEY):
            lacks = Unfinished("Web search", f"put {brave.KEY} into .env", "docs/web.md")
            yield _Part("web_search", "finding pages on the web", frozenset({"web_search"}), lacks)
        if not self._secret(firecrawl.KEY):
            lacks = Unfinished("Web scraping", f"put {firecrawl.KEY} into .env", "docs/web.md")
            yield _Part("web_scrape", "pages that need scripts", frozenset({"web_scrape"}), lacks)
        if not plots_there():
            install = "run pip install 'bellhop-assistant[plots]'"
            lacks = Unfinished("Plots", install, "docs/daily-use.md")
            yield _Part("plots", "numbers drawn as a picture", frozenset({"plot"}), lacks)
        for name, one in self._of_plugins():
            lacks = Unfinished(one.title, one.step, one.docs, one.begun)
            yield _Part(name, one.gives, one.tools, lacks)
