"""The connectors that Bellhop ships; the only module that knows several of them."""

from collections.abc import Callable, Mapping, Sequence

from bot.connectors.connect import ConnectConnector
from bot.connectors.search import SearchConnector
from bot.connectors.surfaces import SURFACES, Surface
from bot.connectors.todos import TodosConnector
from bot.domain.access import Person
from bot.domain.database import Database
from bot.domain.files import FileSource
from bot.domain.search import KnowsWhatHappened, SearchSource
from bot.tools.native.connector import Connector


def build_connectors(
    database: Database,
    *,
    files: Mapping[str, FileSource],
    ours: Sequence[Connector] = (),
    could_connect: Callable[[Person], bool] = lambda _person: False,
    searched: Sequence[SearchSource] = (),
    happened: KnowsWhatHappened | None = None,
) -> list[Connector]:
    """All shipped connectors in the order of prompt sections, except those that lack a part.

    `files` maps connector ids to sources: `preferences`, `documents`, `custom-skills`, `skills`,
    `automations`. `ours` are those of our own plug-ins, which follow the todos.
    `searched` is what `search` looks through beside what these connectors keep,
    `happened` knows what people missed in chats.
    """
    plain: list[Connector] = [TodosConnector(database), *ours, ConnectConnector(could_connect)]
    plain += [Surface(one, files[one]) for one in SURFACES if one in files]
    own = [one for one in plain if isinstance(one, SearchSource)]
    return [*plain, SearchConnector([*own, *searched], happened)]
