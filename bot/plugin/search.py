"""For connectors whose things `search` finds: they implement `SearchSource`."""

from bot.domain.search import EntityType, Hit, SearchHits, SearchQuery, SearchSource
