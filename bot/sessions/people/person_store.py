"""All tables keyed by a person id, and the SQL that gives rows to another person.

A new table with a column that names a person belongs in one of the lists here, and docs/tables.md
says why all others stay unchanged; a test compares both with the schema.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Unit, Write
from bot.domain.languages import CountedPhrase, Language, Phrase, number
from bot.domain.person_tables import PersonTable
from bot.storage.plugin_tables import deleting
from bot.storage.values import HomeValue

THINGS: Mapping[str, CountedPhrase] = {
    "messages": CountedPhrase(Phrase("{count} message"), Phrase("{count} messages")),
    "todos": CountedPhrase(Phrase("{count} todo"), Phrase("{count} todos")),
    "collected_documents": CountedPhrase(Phrase("{count} document"), Phrase("{count} documents")),
    "virtual_files": CountedPhrase(Phrase("{count} file"), Phrase("{count} files")),
    "summaries": CountedPhrase(
        Phrase("{count} summary of a conversation"), Phrase("{count} summaries of conversations")
    ),
    "scheduled_tasks": CountedPhrase(
        Phrase("{count} scheduled task"), Phrase("{count} scheduled tasks")
    ),
    "automations": CountedPhrase(Phrase("{count} automation"), Phrase("{count} automations")),
    "grants": CountedPhrase(Phrase("{count} grant"), Phrase("{count} grants")),
    "credentials": CountedPhrase(
        Phrase("{count} connected account"), Phrase("{count} connected accounts")
    ),
}
"""What is kept under a person id, by the name of its table."""

LINKED_FILES = "/documents/linked"
"""The folder for files whose path the person already has."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "approvals": ("person", "decided_by"),
    "attachments": ("person",),
    "automations": ("owner",),
    "connection_waits": ("person",),
    "collected_documents": ("owner",),
    "cycle_events": ("person",),
    "distillations": ("person",),
    "file_versions": ("updated_by", "owner"),
    "forgettings": ("person",),
    "grants": ("person", "made_by", "revoked_by"),
    "member_reminders": ("setter", "receiver"),
    "messages": ("author", "addressee"),
    "outbox": ("person",),
    "plan_lines": ("person",),
    "questions": ("person",),
    "scheduled_tasks": ("owner",),
    "summaries": ("person",),
    "todos": ("owner",),
    "unanswered": ("person",),
    "undoable": ("person",),
    "virtual_files": ("updated_by", "owner"),
}
"""Columns with a person id; rows that the person has already are merged first (`_merges`)."""

SUMS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "usage": (
        ("day", "channel", "model"),
        (
            "calls",
            "input_tokens",
            "cache_read_tokens",
            "cache_write_tokens",
            "output_tokens",
            "nano_usd",
            "unpriced",
            "stranger_calls",
            "stranger_nano_usd",
            "handed_calls",
            "handed_tokens",
            "handed_nano_usd",
        ),
    ),
    "tool_usage": (("day", "channel", "tool"), ("calls", "failed")),
}
"""Tables that count by `person`: the rest of their key, and the summed columns."""

ONCE: Mapping[str, tuple[str, ...]] = {
    "person_values": ("name", "key"),
    "tool_requests": ("reach", "channel", "tool", "words"),
}
"""Tables with a `person` in their key, and the other columns of the key.

Of two rows with one key, the one that the person has already is kept.
"""

SESSION_KEYS: Mapping[str, str] = {
    "approvals": "session",
    "automations": "session",
    "connection_waits": "session",
    "inbox": "session",
    "questions": "session",
    "scheduled_tasks": "session",
    "schedules": "session",
    "sessions": "session_key",
}
"""Columns with a session key, which holds its person's id.

Those of running turns are left for later.
"""

ELSEWHERE: Mapping[str, str] = {
    "credentials": "a token is sealed together with its person: Credentials.move seals it anew",
}
"""Tables moved by code of their own."""

_PROBES = (
    "SELECT 1 FROM messages WHERE author = id.value",
    "SELECT 1 FROM todos WHERE owner = id.value",
    "SELECT 1 FROM collected_documents WHERE owner = id.value",
    "SELECT 1 FROM virtual_files WHERE owner_kind = 'person' AND owner = id.value",
    "SELECT 1 FROM scheduled_tasks WHERE owner = id.value",
    "SELECT 1 FROM automations WHERE owner = id.value",
    "SELECT 1 FROM grants WHERE person = id.value AND revoked_at IS NULL",
    "SELECT 1 FROM cycle_events WHERE person = id.value AND type = 'cycle_start'",
    "SELECT 1 FROM usage WHERE person = id.value",
)
"""Queries that show whether somebody was here; indexed, so that each start can ask for everybody.

Other rows of a person exist only beside these.
"""

_BUSY = (
    "EXISTS (SELECT 1 FROM inbox AS work WHERE work.settled_at IS NULL AND work.session = {column})"
)


async def known_among(
    database: Database, persons: Collection[str], more: Sequence[PersonTable] = ()
) -> set[str]:
    """Those of these person ids that have any data. `more`: tables of plug-ins."""
    plugged = [f"SELECT 1 FROM {one.name} WHERE {one.owner} = id.value" for one in more]  # noqa: S608
    probes = " OR ".join(f"EXISTS ({probe})" for probe in (*_PROBES, *plugged))
    rows = await database.read(
        f"SELECT DISTINCT id.value AS id FROM json_each(?) AS id WHERE {probes}",  # noqa: S608
        (json.dumps(sorted(persons)),),
    )
    keys = await database.read("SELECT DISTINCT session_key FROM sessions")
    lived = {part for row in keys for part in str(row["session_key"]).split("|")[1:-1]}
    return {str(row["id"]) for row in rows} | (lived & set(persons))


_COUNTED = (
    ("messages", "author", ""),
    ("todos", "owner", ""),
    ("collected_documents", "owner", ""),
    ("virtual_files", "owner", " AND owner_kind = 'person'"),
    ("summaries", "person", ""),
    ("scheduled_tasks", "owner", ""),
    ("automations", "owner", ""),
    ("grants", "person", " AND revoked_at IS NULL"),
    ("credentials", "person", ""),
)
"""Tables with a person's things, and a condition; `THINGS` has what the things are called."""


MADE = frozenset({"todos", "virtual_files", "scheduled_tasks"})
"""Tables of what people make themselves; `PersonTable.made` says it of those of plug-ins."""


async def counts_of(
    database: Database,
    person: str,
    tables: Collection[str] | None = None,
    more: Sequence[PersonTable] = (),
    language: Language = Language.EN,
) -> list[str]:
    """How many things of each kind are kept under a person id: `2 todos`.

    `tables`: only of these. `more`: tables of plug-ins, in their own words.
    """
    counted = [one for one in _COUNTED if tables is None or one[0] in tables]
    counted += [(one.name, one.owner, "") for one in more]
    selected = ", ".join(
        f"(SELECT count(*) FROM {table} WHERE {column} = ?1{also}) AS {table}"  # noqa: S608 - constants
        for table, column, also in counted
    )
    row = await database.read_one(f"SELECT {selected}", (person,))
    if row is None:
        return []
    counts = {table: count for table, _, _ in counted if (count := int(row[table]))}
    own = [
        THINGS[table].said(language, count) for table, count in counts.items() if table in THINGS
    ]
    return own + [
        f"{number(count, language)} {one.name_of(count, language)}"
        for one in more
        if (count := counts.get(one.name, 0))
    ]


async def at_work(database: Database, persons: Collection[str]) -> set[str]:
    """Those of these people with an open turn in a session."""
    rows = await database.read(
        "SELECT DISTINCT id.value AS id FROM inbox, json_each(?) AS id WHERE settled_at IS NULL"
        " AND instr(session, '|' || id.value || '|') > 0",
        (json.dumps(sorted(persons)),),
    )
    return {str(row["id"]) for row in rows}


_SOURCES = (
    ("messages", "author", ""),
    ("todos", "owner", ""),
    ("virtual_files", "owner", " AND owner_kind = 'person'"),
)
"""Tables with an id of everybody who has made something, and a condition."""


async def persons_kept(database: Database) -> set[str]:
    """All person ids under which something is kept. Reads whole tables."""
    sources = (*_SOURCES, ("usage", "person", ""), ("summaries", "person", ""))
    tables = " UNION ".join(
        f"SELECT DISTINCT {column} AS id FROM {table} WHERE {column} <> ''{also}"  # noqa: S608 - constants
        for table, column, also in sources
    )
    return {str(row["id"]) for row in await database.read(tables)}


def move_unit(earlier: str, person: str, now: datetime, more: Sequence[PersonTable] = ()) -> Unit:
    """Give everything of one person id to another. A repetition moves newer rows.

    A row that both have is kept once, sums are added up, and a file whose path is taken goes to
    LINKED_FILES. `more`: tables of plug-ins.
    """
    writes = [*_sums(earlier, person), *_merges(earlier, person)]
    for table, key in ONCE.items():
        writes += _once(table, "person", key, (person, earlier))
    for one in more:
        writes += _of_plugin(one, earlier, person)
    writes += _in_home_values(earlier, person)
    for table, columns in COLUMNS.items():
        also = " AND owner_kind = 'person'" if table in {"virtual_files", "file_versions"} else ""
        for column in columns:
            kind = also if column == "owner" else ""
            # Some indexes leave out rows without a person.
            sql = f"UPDATE {table} SET {column} = ? WHERE {column} = ? AND {column} <> ''{kind}"  # noqa: S608 - constants
            log = table if table == "cycle_events" else ""
            writes.append(Write(sql, (person, earlier), expendable=log))
    return Unit((*writes, *_sessions(earlier, person, now)))


def _in_home_values(earlier: str, person: str) -> list[Write]:
    """Who opened channels for automations, and whose budget of a day was raised."""
    opened = "UPDATE home_values SET value = ? WHERE name = ? AND value = ?"
    raised = "UPDATE home_values SET key = replace(key, ?, ?) WHERE name = ? AND instr(key, ?) > 0"
    was, now = f" {earlier} ", f" {person} "
    return [
        Write(opened, (person, HomeValue.AUTOMATIONS, earlier)),
        Write(raised, (was, now, HomeValue.RAISED_BUDGET, was)),
    ]


def _of_plugin(table: PersonTable, earlier: str, person: str) -> list[Write]:
    both = (person, earlier)
    key = tuple(column for column in table.key if column != table.owner)
    writes = [Write(sql, (earlier, person)) for sql in table.before_moving]
    if table.owner in table.key or table.once:
        writes.append(_given(table.name, table.owner, table.once or key, both))
        where = f"{table.owner} = ?1"
        writes += [Write(sql, (earlier,)) for sql in deleting(table, where)]
    columns = [(table.name, table.owner)]
    columns += [(part.name, column) for part in table.parts for column in part.persons]
    for name, column in columns:
        writes.append(Write(f"UPDATE {name} SET {column} = ? WHERE {column} = ?", both))  # noqa: S608 - of a plug-in
    return writes


def _once(table: str, owner: str, key: tuple[str, ...], both: tuple[str, str]) -> list[Write]:
    """Give rows of the second id to the first; of two with one key, the first one's stays."""
    return [
        _given(table, owner, key, both),
        Write(f"DELETE FROM {table} WHERE {owner} = ?", both[1:]),  # noqa: S608
    ]


def _given(table: str, owner: str, key: tuple[str, ...], both: tuple[str, str]) -> Write:
    same = "".join(f" AND kept.{one} = {table}.{one}" for one in key)
    return Write(
        f"UPDATE {table} SET {owner} = ?1 WHERE {owner} = ?2 AND NOT EXISTS"  # noqa: S608
        f" (SELECT 1 FROM {table} AS kept WHERE kept.{owner} = ?1{same})",
        both,
    )


def _sums(earlier: str, person: str) -> list[Write]:
    writes: list[Write] = []
    for table, (key, sums) in SUMS.items():
        listed = ", ".join((*key, *sums))
        added = ", ".join(f"{one} = {table}.{one} + excluded.{one}" for one in sums)
        writes += [
            Write(
                f"INSERT INTO {table} (person, {listed}) SELECT ?, {listed} FROM {table} "  # noqa: S608
                "WHERE person = ?"
                f" ON CONFLICT (person, {', '.join(key)}) DO UPDATE SET {added}",
                (person, earlier),
            ),
            Write(f"DELETE FROM {table} WHERE person = ?", (earlier,)),  # noqa: S608 - constants
        ]
    return writes


def _merges(earlier: str, person: str) -> list[Write]:
    same_file = (
        "DELETE FROM virtual_files WHERE owner_kind = 'person' AND owner = ?1 AND EXISTS (SELECT 1"
        " FROM virtual_files AS kept WHERE kept.owner_kind = 'person' AND kept.owner = ?2"
        " AND kept.path = virtual_files.path AND kept.version = virtual_files.version)"
    )
    # In two steps, so that no number exists twice at any moment.
    set_aside = (
        "UPDATE file_versions SET number = -number WHERE owner_kind = 'person' AND owner = ?1 AND "
        "path IN"
        " (SELECT path FROM file_versions WHERE owner_kind = 'person' AND owner = ?2)"
    )
    behind_theirs = (
        "UPDATE file_versions SET number = (SELECT max(number) FROM file_versions AS kept WHERE"
        " kept.owner_kind = 'person' AND kept.owner = ?2 AND kept.path = file_versions.path) - "
        "number"
        " WHERE owner_kind = 'person' AND owner = ?1 AND number < 0"
    )
    both = (earlier, person)
    return [
        Write(
            "UPDATE todos SET slug = slug || '-' || id WHERE owner = ?1"
            " AND slug IN (SELECT slug FROM todos WHERE owner = ?2)",
            both,
        ),
        Write(same_file, both),
        Write(set_aside, both),
        Write(behind_theirs, both),
        Write(
            "UPDATE virtual_files SET path = ?3 || '/' || substr(version, 1, 8) || path"
            " WHERE owner_kind = 'person' AND owner = ?1 AND path IN"
            " (SELECT path FROM virtual_files WHERE owner_kind = 'person' AND owner = ?2)",
            (*both, LINKED_FILES),
        ),
        Write(same_file, both),
    ]


def _sessions(earlier: str, person: str, now: datetime) -> list[Write]:
    """End open sessions, because their role is fixed; the next one starts from a summary."""
    old, new = f"|{earlier}|", f"|{person}|"
    writes = [
        Write(
            "UPDATE sessions SET state = 'ended', end_reason = 'linked', ended_at = ? "  # noqa: S608
            "WHERE state = 'open'"
            f" AND instr(session_key, ?) > 0 AND NOT {_BUSY.format(column='session_key')}",
            (format_utc(now), old),
        )
    ]
    for table, column in SESSION_KEYS.items():
        free = (
            "settled_at IS NOT NULL"
            if table == "inbox"
            else f"NOT {_BUSY.format(column=f'{table}.{column}')}"
        )
        closed = " AND state = 'ended'" if table == "sessions" else ""
        writes.append(
            Write(
                f"UPDATE {table} SET {column} = replace({column}, ?, ?)"  # noqa: S608 - constants
                f" WHERE instr({column}, ?) > 0 AND {free}{closed}",
                (old, new, old),
            )
        )
    return writes
