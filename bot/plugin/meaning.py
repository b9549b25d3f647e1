"""For searches that compare meanings beside words, where the operator set an embedder."""

from dataclasses import dataclass

from bot.domain.memory import Embedder as Embedder
from bot.errors import EmbedderError as EmbedderError
from bot.memory.embedding import EMBEDDER_WAIT_S as EMBEDDER_WAIT_S
from bot.memory.embedding import Similarity as Similarity
from bot.memory.embedding import unit_vector as unit_vector
from bot.memory.ranking import ALIKE as ALIKE
from bot.memory.ranking import SIMILARITY as SIMILARITY


@dataclass(frozen=True)
class VectorModel:
    """The operator's embedder, for vectors that a plug-in keeps."""

    name: str
    """What made a vector: one of another name can't be compared with it."""
    embedder: Embedder
    """It has minutes for a request, so nobody should wait for it: `EMBEDDER_WAIT_S` is long."""
