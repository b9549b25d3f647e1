"""Ways of working that recur in one person's conversations, offered as a skill of their own.

What is offered holds names of tools and their order: nothing that anybody said. So it names no
person, place or thing, and the person's yes makes it a skill that nobody else sees.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.database import Database
from bot.memory.summaries.store import summaries_of
from bot.sessions.learning.consent import Learning
from bot.skills.playbook_candidates import Recurring, own_work, recurring

MOST = 10
TASK = "For what the person asks, use these tools in this order. Ask for what is missing."


@dataclass(frozen=True)
class OwnWays:
    """Looks at a person's own summaries, wherever they talked."""

    database: Database
    learning: Learning

    async def of(self, person: str) -> Sequence[Recurring]:
        """The most frequent first; without places where nothing is learned. Raises StorageError."""
        work = await asyncio.to_thread(own_work, await summaries_of(self.database, person))
        closed = await self.learning.forbidden([one.session for one in work])
        open_ = [one for one in work if one.session not in closed]
        return (await asyncio.to_thread(recurring, open_))[:MOST]


def steps_of(way: Recurring) -> str:
    """The text of the skill that one becomes."""
    steps = [f"{number}. `{tool}`" for number, tool in enumerate(way.tools, 1)]
    return "\n".join([TASK, *steps])
