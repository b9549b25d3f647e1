"""Documents that a team searches, and the embedder that they share with memory."""

from bot.assembly.ground import Ground
from bot.assembly.plugins import readers_of
from bot.connectors.shipped import SharedDocuments
from bot.knowledge.documents import DocumentCollections
from bot.knowledge.log_search import LogSearch
from bot.knowledge.reading import DocumentReader
from bot.knowledge.vectors import DocumentVectors
from bot.memory.embedding import OllamaEmbedder, Similarity
from bot.memory.settings import MemorySettings
from bot.sessions.opening.attached_files import KeptAttachments
from bot.sessions.opening.attachments import Attachments
from bot.web.client import WebClient
from bot.web.settings import WebSettings

EMBED_S = 120.0
"""For the vectors of some parts of a document, which nobody waits for."""


def build_shared(ground: Ground, attachments: Attachments) -> SharedDocuments:
    """Without `memory.embedder.base_url` everything is found by its words alone."""
    settings, database, clock = ground.settings, ground.database, ground.clock
    wanted = settings.get(MemorySettings).embedder
    similarity = vectors = None
    if wanted.base_url:
        similarity = Similarity(OllamaEmbedder(wanted), wanted.timeout_s)
        patient = OllamaEmbedder(wanted, EMBED_S)
        vectors = DocumentVectors(database, patient, wanted.name, wanted.timeout_s)
    data = settings.home / "data"
    reader = DocumentReader(more=readers_of(ground.plugins))
    web = WebClient(settings.get(WebSettings))
    documents = DocumentCollections(database, clock, web, vectors, reader)
    attached = KeptAttachments(database, ground.engine, attachments)
    return SharedDocuments(documents, LogSearch(data), attached, similarity)
