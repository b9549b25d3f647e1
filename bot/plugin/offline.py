"""For tests and demonstrations: a Messages API without a language model.

`OfflineServer` answers requests by the rules of the offline model, and by scripts of your own. A
script is a generator: it yields tool calls (`attempt`, `need`), gets their outcomes, and returns
the answer.
"""

from bot.llm.offline.script import Script, attempt, need
from bot.llm.offline.server import OfflineServer
from bot.llm.offline.situation import Situation
from bot.llm.sse import encode, stream_events

__all__ = [
    "OfflineServer",
    "Script",
    "Situation",
    "attempt",
    "encode",
    "need",
    "stream_events",
]
