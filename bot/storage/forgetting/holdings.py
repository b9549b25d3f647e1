"""Which tables hold people's words, whose each row is, and what forgetting does to it.

Every text column of every table stands here or in `wordless.py`; a test reads the schema.
"""

from dataclasses import dataclass
from typing import Literal

from bot.domain.person_tables import PersonTable

_SETTLED = "settled_at IS NOT NULL"
_TURNS = "(SELECT CAST(value AS BIGINT) FROM json_each(:turns))"
_OPEN_TURNS = "(SELECT id FROM inbox WHERE settled_at IS NULL)"
_SESSIONS = "(SELECT value FROM json_each(:sessions))"
_ENDED = "(SELECT id FROM sessions WHERE state = 'ended')"
_FORGET_TURN = (
    "DELETE FROM steps WHERE turn = ?1",
    "DELETE FROM attachments WHERE turn = ?1",
    "DELETE FROM plan_orders WHERE turn = ?1",
    "UPDATE questions SET text = '', options = '[]' WHERE turn = ?1 AND state <> 'open'",
    "UPDATE inbox SET body = '{}', error = NULL WHERE id = ?1 AND settled_at IS NOT NULL",
)
_FORGET_SESSION = (
    "DELETE FROM transcript WHERE session_id = ?1",
    "UPDATE sessions SET system = '[]', tools = '[]', unlocked = '[]', active_skills = '[]',"
    " untold_facts = '[]', summarised_epoch = epoch WHERE id = ?1 AND state = 'ended'",
)
_FORGET_MEETING = (
    "DELETE FROM meeting_texts_text WHERE rowid IN"
    " (SELECT seq FROM meeting_texts WHERE meeting = ?1)",
    "DELETE FROM meeting_texts WHERE meeting = ?1",
    "DELETE FROM meetings WHERE id = ?1",
)
_REMOVE_SCHEDULE = (
    "DELETE FROM schedule_ticks WHERE schedule = ?1",
    "DELETE FROM schedules WHERE id = ?1",
)


@dataclass(frozen=True)
class Holding:
    """Columns of a table that hold people's words.

    `owned` is the condition for a person's rows, with `:person`, `:pattern` (a part of the keys of
    their sessions), and `:sessions` or `:turns` (JSON: the ids of some of their sessions, or of
    their settled turns). Rows with the words are forgotten by
    the statements `does`, whose `?1`, `?2` … are the row's columns `by`.
    """

    kind: str
    """What such a row is called when removed things are counted."""
    table: str
    key: tuple[str, ...]
    """The columns that order the rows."""
    texts: tuple[str, ...]
    owned: str
    by: tuple[str, ...]
    does: tuple[str, ...]
    session: str = ""
    """The expression for the key of its session, where that alone says exactly whose it is."""
    at_once: int = 200
    """How many rows are read together; fewer where they are long."""
    cuts: bool = False
    """Whether the column `text` loses lines, where no other column holds the words."""

    @property
    def among(self) -> Literal["sessions", "turns", ""]:
        """By which ids its rows are found, some at a time."""
        if ":sessions" in self.owned:
            return "sessions"
        return "turns" if ":turns" in self.owned else ""


def _deleted(table: str, *by: str) -> tuple[str, ...]:
    where = " AND ".join(f"{column} = ?{number}" for number, column in enumerate(by, 1))
    return (f"DELETE FROM {table} WHERE {where}",)  # noqa: S608 - names of the schema


def _own(
    kind: str, table: str, by: str, texts: str, owner: str, does: tuple[str, ...] = ()
) -> Holding:
    """Rows with a column for their person, deleted whole unless `does` says otherwise."""
    keys = tuple(by.split())
    return Holding(
        kind,
        table,
        keys,
        tuple(texts.split()),
        f"{owner} = :person",
        keys,
        does or _deleted(table, *keys),
    )


def holding_of(table: PersonTable) -> Holding:
    """What forgetting does with the rows of a plug-in's table."""
    return _own(table.many, table.name, " ".join(table.key), " ".join(table.words), table.owner)


HOLDINGS: tuple[Holding, ...] = (
    # --- what a person keeps ---
    _own(
        "todos",
        "todos",
        "id",
        "title description waiting_for notes slug",
        "owner",
        (
            "DELETE FROM member_reminders WHERE todo = ?1",
            "DELETE FROM schedules WHERE instr(session, '|' || ?1 || '|') > 0",
            "DELETE FROM todos WHERE id = ?1",
        ),
    ),
    _own("notes", "notes", "id", "title body", "owner"),
    _own(
        "knowledge entries",
        "knowledge_entries",
        "id",
        "title content content_key",
        "owner",
        (
            "DELETE FROM knowledge_entries_text WHERE rowid IN"
            " (SELECT seq FROM knowledge_entries WHERE id = ?1)",
            "DELETE FROM knowledge_entries WHERE id = ?1",
        ),
    ),
    _own("meetings", "meetings", "id", "day slug title people", "owner", _FORGET_MEETING),
    Holding(
        "meetings",
        "meeting_texts",
        ("seq",),
        ("name", "text"),
        "meeting IN (SELECT id FROM meetings WHERE owner = :person)",
        ("meeting",),
        _FORGET_MEETING,
        at_once=10,
    ),
    _own(
        "files about people",
        "people",
        "id",
        "slug name other_names title",
        "owner",
        (
            "DELETE FROM people_notes WHERE about = ?1 AND owner ="
            " (SELECT owner FROM people WHERE id = ?1)",
            "DELETE FROM people_slugs WHERE about = ?1",
            "DELETE FROM people WHERE id = ?1",
        ),
    ),
    _own("notes about people", "people_notes", "id", "text", "owner"),
    _own("documents", "collected_documents", "seq", "name source", "owner"),
    Holding(
        "documents",
        "document_parts",
        ("id",),
        ("place", "text"),
        "document IN (SELECT seq FROM collected_documents WHERE owner = :person)",
        ("document",),
        ("DELETE FROM collected_documents WHERE seq = ?1",),
    ),
    Holding(
        "files",
        "virtual_files",
        ("owner_kind", "owner", "path"),
        ("path", "text"),
        "owner_kind = 'person' AND owner = :person",
        ("owner_kind", "owner", "path"),
        _deleted("virtual_files", "owner_kind", "owner", "path"),
        at_once=10,
        cuts=True,
    ),
    Holding(
        "versions of files",
        "file_versions",
        ("owner_kind", "owner", "path", "number"),
        ("path", "text"),
        "owner_kind = 'person' AND owner = :person",
        ("owner_kind", "owner", "path", "number"),
        _deleted("file_versions", "owner_kind", "owner", "path", "number"),
        at_once=10,
    ),
    _own(
        "automations",
        "automations",
        "ref",
        "slug text watches envelope paused_why",
        "owner",
        (
            "DELETE FROM schedules WHERE session IN"
            " (SELECT session FROM automations WHERE ref = ?1)",
            "DELETE FROM automation_events WHERE automation = ?1",
            "DELETE FROM automations WHERE ref = ?1",
        ),
    ),
    Holding(
        "automations",
        "automation_events",
        ("seq",),
        ("text",),
        "automation IN (SELECT ref FROM automations WHERE owner = :person)",
        ("seq",),
        ("DELETE FROM automation_events WHERE seq = ?1",),
    ),
    _own(
        "schedules",
        "scheduled_tasks",
        "ref",
        "name prompt paused_why",
        "owner",
        (
            "DELETE FROM schedules WHERE session IN"
            " (SELECT session FROM scheduled_tasks WHERE ref = ?1)",
            "DELETE FROM scheduled_tasks WHERE ref = ?1",
        ),
    ),
    Holding(
        "schedules",
        "schedules",
        ("id",),
        ("body",),
        "instr(session, :pattern) > 0",
        ("id",),
        _REMOVE_SCHEDULE,
        session="session",
    ),
    Holding(
        "schedules",
        "schedule_ticks",
        ("schedule", "due"),
        ("detail",),
        "schedule IN (SELECT id FROM schedules WHERE instr(session, :pattern) > 0)",
        ("schedule", "due"),
        ("UPDATE schedule_ticks SET detail = '' WHERE schedule = ?1 AND due = ?2",),
        session="(SELECT session FROM schedules WHERE id = schedule_ticks.schedule)",
    ),
    _own("changes that can be taken back", "undoable", "id", "name back", "person"),
    # --- what was learned ---
    Holding(
        "facts of conversations",
        "known_facts",
        ("session_id", "key"),
        ("key", "fact", "history"),
        f"session_id IN {_SESSIONS}",
        ("session_id", "key"),
        _deleted("known_facts", "session_id", "key"),
    ),
    _own(
        "summaries",
        "summaries",
        "id",
        "fields tools",
        "person",
        (
            "UPDATE summaries SET fields = NULL, tools = '[]', why_not = 'forgotten', logged = 0"
            " WHERE id = ?1",
        ),
    ),
    _own("things about to be learned", "distillations", "id", "entries", "person"),
    _own(
        "requests that tools served",
        "tool_requests",
        "person reach channel tool words",
        "words",
        "person",
    ),
    # --- what was said, and the record of the work ---
    Holding(
        "messages",
        "messages",
        ("id",),
        ("text",),
        "(author = :person OR (addressee = :person AND addressee <> '' AND author LIKE 'agent:%'))",
        ("id",),
        ("UPDATE messages SET text = '', deleted_at = coalesce(deleted_at, at) WHERE id = ?1",),
    ),
    Holding(
        "requests in the log",
        "cycle_events",
        ("id",),
        ("step", "data"),
        f"person = :person AND turn NOT IN {_OPEN_TURNS}",
        ("cycle_id",),
        ("DELETE FROM cycle_events WHERE cycle_id = ?1",),
        at_once=50,
    ),
    Holding(
        "requests",
        "inbox",
        ("id",),
        ("body", "error"),
        f"{_SETTLED} AND instr(session, :pattern) > 0",
        ("id",),
        _FORGET_TURN,
        session="session",
    ),
    Holding(
        "requests",
        "steps",
        ("turn", "key"),
        ("value",),
        f"turn IN {_TURNS}",
        ("turn",),
        _FORGET_TURN,
        at_once=20,
    ),
    Holding(
        "requests",
        "plan_orders",
        ("id",),
        ("text",),
        f"turn IN {_TURNS}",
        ("turn",),
        _FORGET_TURN,
    ),
    Holding(
        "requests",
        "questions",
        ("id",),
        ("text", "options"),
        f"person = :person AND state <> 'open' AND turn NOT IN {_OPEN_TURNS}",
        ("turn",),
        _FORGET_TURN,
    ),
    Holding(
        "requests",
        "attachments",
        ("turn", "position"),
        ("name", "mime"),
        f"turn IN {_TURNS}",
        ("turn",),
        _FORGET_TURN,
    ),
    Holding(
        "conversations",
        "transcript",
        ("session_id", "epoch", "seq"),
        ("message",),
        f"session_id IN {_SESSIONS} AND session_id IN {_ENDED}",
        ("session_id",),
        _FORGET_SESSION,
        at_once=50,
    ),
    Holding(
        "conversations",
        "sessions",
        ("id",),
        ("system", "tools", "unlocked", "active_skills", "untold_facts"),
        f"id IN {_SESSIONS} AND state = 'ended'",
        ("id",),
        _FORGET_SESSION,
        at_once=20,
    ),
    Holding(
        "files that conversations saw",
        "seen_files",
        ("session", "path"),
        ("path",),
        f"session IN {_SESSIONS}",
        ("session", "path"),
        _deleted("seen_files", "session", "path"),
    ),
    Holding(
        "earlier wishes to forget",
        "forgotten_words",
        ("session_id", "at", "words"),
        ("words",),
        f"session_id IN {_SESSIONS} AND session_id IN {_ENDED}",
        ("session_id", "at", "words"),
        _deleted("forgotten_words", "session_id", "at", "words"),
    ),
    Holding(
        "posts on their way",
        "outbox",
        ("key",),
        ("message", "error"),
        "person = :person AND state <> 'pending'",
        ("key",),
        _deleted("outbox", "key"),
    ),
    _own("bookings", "bookings", "id", "name mail subject", "person"),
    _own("requests that wait for an account", "connection_waits", "id", "message", "person"),
    # --- what was allowed ---
    _own(
        "approvals",
        "approvals",
        "ref",
        "arguments reason envelope targets stems about",
        "person",
        (
            "DELETE FROM cards WHERE ref = ?1",
            "UPDATE approvals SET arguments = '{}', reason = '', envelope = '{}', targets = '[]',"
            " stems = '[]', about = '{}',"
            " state = CASE state WHEN 'open' THEN 'expired' ELSE state END WHERE ref = ?1",
        ),
    ),
    Holding(
        "cards",
        "cards",
        ("key",),
        ("message", "line"),
        "(ref IN (SELECT ref FROM approvals WHERE person = :person)"
        " OR key IN (SELECT key FROM messages WHERE addressee = :person AND addressee <> '')"
        " OR ref IN (SELECT 'todo:' || id FROM todos WHERE owner = :person))",
        ("key",),
        _deleted("cards", "key"),
    ),
    _own("approvals", "plan_lines", "approval line", "arguments", "person"),
    _own("grants", "grants", "ref", "targets", "person"),
    _own(
        "lines of the audit",
        "audit",
        "id",
        "detail",
        "person",
        ("UPDATE audit SET detail = '' WHERE id = ?1",),
    ),
)
