"""Documents of people and teams, and the embedder that they share with memory."""

from dataclasses import dataclass

from bot.assembly.ground import Ground
from bot.assembly.plugins import readers_of
from bot.domain.files import AttachedFiles
from bot.files.search import DocumentIndex, DocumentSearch
from bot.knowledge.documents import DocumentCollections
from bot.knowledge.log_search import LogSearch
from bot.knowledge.reading import DocumentReader
from bot.knowledge.vectors import DocumentVectors
from bot.memory.embedding import EMBEDDER_WAIT_S, OllamaEmbedder
from bot.memory.settings import MemorySettings
from bot.sessions.opening.attachments import Attachments, KeptAttachments
from bot.web.client import WebClient
from bot.web.settings import WebSettings

EMBED_S = 120.0
"""For the vectors of some parts of a document, which nobody waits for."""


@dataclass(frozen=True)
class Documents:
    """The documents of people and teams, and what finds something in them."""

    collections: DocumentCollections
    logs: LogSearch
    attached: AttachedFiles
    index: DocumentIndex
    search: DocumentSearch


def build_documents(ground: Ground, attachments: Attachments) -> Documents:
    """Without `memory.embedder.base_url` everything is found by its words alone."""
    settings, database, clock = ground.settings, ground.database, ground.clock
    wanted = settings.get(MemorySettings).embedder
    vectors = None
    if wanted.base_url:
        patient = OllamaEmbedder(wanted, EMBED_S)
        vectors = DocumentVectors(database, patient, wanted.name, EMBEDDER_WAIT_S)
    reader = DocumentReader(more=readers_of(ground.plugins))
    web = WebClient(settings.get(WebSettings))
    index = DocumentIndex(database, clock)
    return Documents(
        DocumentCollections(database, clock, web, vectors, reader),
        LogSearch(settings.home / "data"),
        KeptAttachments(database, ground.engine, attachments),
        index,
        DocumentSearch(database, index),
    )
