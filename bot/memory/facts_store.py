"""KnownFacts between turns: saved with the turn, loaded with the session, dropped at its end."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin
from bot.domain.tool_outcomes import Fact
from bot.memory.facts import KnownFacts
from bot.memory.forgotten_words_store import ForgottenWords, forgotten_in

_PUT = (
    "INSERT INTO known_facts (session_id, key, fact, history, updated_at) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (session_id, key) DO UPDATE SET"
    " fact = excluded.fact, history = excluded.history, updated_at = excluded.updated_at"
)
_READ = "SELECT key, fact, history FROM known_facts WHERE session_id = ? ORDER BY updated_at, key"
HAS_FACTS = "EXISTS (SELECT 1 FROM known_facts WHERE session_id = sessions.id)"
"""A column of `sessions` rows: whether there is anything to load."""
_DROP = "DELETE FROM known_facts WHERE session_id = ?"


class FactsStore:
    """Facts of sessions in the database. Raises StorageError when the database fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, session_id: str) -> KnownFacts:
        """The facts of a session with their history; empty for a new one.

        A fact that a turn saved although it was forgotten meanwhile is left out, and is removed
        with the next save.
        """
        facts = KnownFacts()
        rows = await self._database.read(_READ, (session_id,))
        forgotten = await forgotten_in(self._database, session_id) if rows else ()
        for row in rows:
            versions = [
                fact_from_json(data)
                for data in (*json.loads(row["history"]), json.loads(row["fact"]))
            ]
            kept = [one for one in versions if not _is_forgotten(one, versions, forgotten)]
            for one in kept:
                facts.save(one)
            if not kept:
                facts.forgotten.add(str(row["key"]))
        facts.changed = bool(facts.forgotten)
        return facts

    def save_unit(
        self, session_id: str, facts: KnownFacts, keys: Iterable[str] | None = None
    ) -> Unit:
        """The writes that store `keys` (default: all) with their history, one write per key.

        Without `keys` they also remove forgotten facts.
        """
        wanted = facts if keys is None else [key for key in dict.fromkeys(keys) if key in facts]
        gone = sorted(facts.forgotten) if keys is None else []
        return Unit.of(
            *(drop_fact(session_id, key) for key in gone),
            *(Write(_PUT, (session_id, key, *_stored(facts, key)), rows=1) for key in wanted),
        )


def _is_forgotten(
    fact: Fact, versions: Sequence[Fact], forgotten: Iterable[tuple[datetime, ForgottenWords]]
) -> bool:
    """A fact is forgotten in its shown form: with the values that it superseded."""
    return any(
        fact.at <= at
        and words.names(" / ".join(f"{one.key}: {one.value}" for one in versions if one.at <= at))
        for at, words in forgotten
    )


def fact_to_json(fact: Fact) -> JsonObject:
    """A fact as JSON: for the table, and for a child agent in another process."""
    return {**vars(fact), "at": format_utc(fact.at), "origin": fact.origin.to_json()}


def fact_from_json(data: JsonObject) -> Fact:
    """The inverse of `fact_to_json`."""
    plain: JsonObject = {
        name: value for name, value in data.items() if name not in ("at", "origin")
    }
    return Fact(at=parse_utc(data["at"]), origin=Origin.from_json(data["origin"]), **plain)


def _stored(facts: KnownFacts, key: str) -> tuple[str, ...]:
    """A fact and its history as JSON texts, oldest first, and its time."""
    now, earlier = fact_to_json(facts[key]), [fact_to_json(fact) for fact in facts.history(key)]
    texts = (json.dumps(one, ensure_ascii=False, sort_keys=True) for one in (now, earlier))
    return (*texts, format_utc(facts[key].at))


def drop_fact(session_id: str, key: str) -> Write:
    return Write("DELETE FROM known_facts WHERE session_id = ? AND key = ?", (session_id, key))


_UNFORGET = "DELETE FROM session_values WHERE session = ? AND name = 'forgotten'"


def drop_facts(session_id: str) -> Unit:
    """Also returns the words by which some of them were forgotten."""
    return Unit.of(Write(_DROP, (session_id,)), Write(_UNFORGET, (session_id,)))
