"""Words by which a person had something forgotten, for running work that still holds it.

A running turn keeps its facts in memory and stores them at its end. So the words are stored with
the session until it is deleted, and facts saved before them are left out when facts are read.

The log of requests and files still hold them. So a later conversation of this person that read
them there, and in which the person did not type them again, is not summarised either.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Unit, Write
from bot.memory.words import stems


@dataclass(frozen=True)
class ForgottenWords:
    """A text matches when it contains every stem of one of `texts`."""

    texts: tuple[frozenset[str], ...]
    everything: bool = False

    def names(self, text: str) -> bool:
        if self.everything:
            return True
        held = stems(text)
        return any(one <= held for one in self.texts)

    def unit(self, sessions: Sequence[str], at: datetime) -> Unit:
        """The writes that store these words with sessions (ids)."""
        words = (
            "all"
            if self.everything
            else json.dumps([sorted(one) for one in self.texts], ensure_ascii=False)
        )
        return Unit.of(
            *(
                Write(
                    "INSERT INTO session_values (session, name, key, value)"
                    " VALUES (?, 'forgotten', ?, '') ON CONFLICT DO NOTHING",
                    (session, f"{format_utc(at)} {words}"),
                )
                for session in sessions
            )
        )


async def forgotten_in(
    database: Database, *session_ids: str
) -> list[tuple[datetime, ForgottenWords]]:
    """The things forgotten during these sessions, with their times. Raises StorageError."""
    rows = await database.read(
        "SELECT key FROM session_values WHERE name = 'forgotten'"
        " AND session IN (SELECT value FROM json_each(?))",
        (json.dumps(session_ids),),
    )
    forgotten = [str(row["key"]).partition(" ") for row in rows]
    return [(parse_utc(at), _read(words)) for at, _, words in forgotten]


def _read(words: str) -> ForgottenWords:
    if words == "all":
        return ForgottenWords((), everything=True)
    return ForgottenWords(tuple(frozenset(one) for one in json.loads(words)))
