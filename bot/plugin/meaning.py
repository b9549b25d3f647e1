"""For searches that compare meanings beside words, where the operator set an embedder."""

from dataclasses import dataclass

from bot.domain.memory import Embedder
from bot.errors import EmbedderError
from bot.memory.embedding import EMBEDDER_WAIT_S, Similarity, unit_vector
from bot.memory.ranking import ALIKE, SIMILARITY


@dataclass(frozen=True)
class VectorModel:
    """The operator's embedder, for vectors that a plug-in keeps."""

    name: str
    """What made a vector: one of another name can't be compared with it."""
    embedder: Embedder
    """It has minutes for a request, so nobody should wait for it: `EMBEDDER_WAIT_S` is long."""
