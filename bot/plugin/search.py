"""For connectors whose things `search` finds: they implement `SearchSource`."""

from bot.domain.search import EntityType as EntityType
from bot.domain.search import Hit as Hit
from bot.domain.search import SearchHits as SearchHits
from bot.domain.search import SearchQuery as SearchQuery
from bot.domain.search import SearchSource as SearchSource
