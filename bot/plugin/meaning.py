"""For searches that compare meanings beside words, where the operator set an embedder."""

from bot.memory.embedding import Similarity
from bot.memory.ranking import ALIKE, SIMILARITY

__all__ = ["ALIKE", "SIMILARITY", "Similarity"]
