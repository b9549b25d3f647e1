"""Shipped tools that need a key or a program of the operator: what is missing, by role."""

from collections.abc import Iterable, Iterator

from bot.connections.offers import Admins, Unfinished
from bot.domain.access import Person
from bot.domain.finding import ServiceOffer
from bot.knowledge.making.maker import plots_there
from bot.plugin.plugin import Lacking


def keyed_offers(
    of_plugins: Iterable[tuple[str, Lacking]], person: Person, admins: Admins
) -> Iterator[ServiceOffer]:
    """What the settings leave without a key or a program.

    `of_plugins`: what plug-ins lack, by their names.
    """
    if not plots_there():
        install = "run pip install 'bellhop-assistant[plots]'"
        gives = "numbers drawn as a picture"
        plots = Lacking("Plots", gives, frozenset({"plot"}), install, "docs/daily-use.md")
        of_plugins = (("plots", plots), *of_plugins)
    for name, one in of_plugins:
        way = Unfinished(one.title, one.step, one.docs, one.begun).way(person, admins)
        yield ServiceOffer(one.id or name, one.title, one.gives, one.tools, way)
