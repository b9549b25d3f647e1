"""Which tables hold people's words, whose each row is, and what forgetting does to it.

A test reads the schema: every text column of every table stands here, or among the wordless ones
of the test (tests/storage/forgetting/wordless.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bot.domain.person_tables import PersonTable
from bot.storage.plugin_tables import deleting

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


def _held(  # noqa: PLR0913 - what a holding says
    kind: str,
    table: str,
    key: str,
    texts: str,
    owned: str,
    does: tuple[str, ...] = (),
    *,
    by: str = "",
    session: str = "",
    at_once: int = 200,
    cuts: bool = False,
) -> Holding:
    """Rows of a table, found by their key and deleted unless `by` and `does` say otherwise.

    `owned` may also be the column with the person id.
    """
    found = tuple((by or key).split())
    where = " AND ".join(f"{column} = ?{number}" for number, column in enumerate(found, 1))
    return Holding(
        kind,
        table,
        tuple(key.split()),
        tuple(texts.split()),
        f"{owned} = :person" if owned.isidentifier() else owned,
        found,
        does or (f"DELETE FROM {table} WHERE {where}",),  # noqa: S608 - names of the schema
        session,
        at_once,
        cuts,
    )


def holdings_of(table: PersonTable) -> Iterator[Holding]:
    """What forgetting does with the rows of a plug-in's table, and with their parts."""
    key, kind = " ".join(table.key), table.many
    does = table.before_deleting + deleting(
        table, " AND ".join(f"{one} = ?{at}" for at, one in enumerate(table.key, 1))
    )
    if table.words:
        yield _held(kind, table.name, key, " ".join(table.words), table.owner, does)
    for part in table.parts:
        if part.words:
            owned = f"SELECT {key} FROM {table.name} WHERE {table.owner} = :person"  # noqa: S608 - of a plug-in
            yield _held(
                kind,
                part.name,
                " ".join(part.key),
                " ".join(part.words),
                f"{part.whole} IN ({owned})",
                does,
                by=part.whole,
                at_once=10,
            )


HOLDINGS: tuple[Holding, ...] = (
    # --- what a person keeps ---
    _held(
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
    _held("documents", "collected_documents", "seq", "name source", "owner"),
    _held(
        "documents",
        "document_parts",
        "id",
        "place text",
        "document IN (SELECT seq FROM collected_documents WHERE owner = :person)",
        ("DELETE FROM collected_documents WHERE seq = ?1",),
        by="document",
    ),
    _held(
        "files",
        "virtual_files",
        "owner_kind owner path",
        "path text",
        "owner_kind = 'person' AND owner = :person",
        at_once=10,
        cuts=True,
    ),
    _held(
        "versions of files",
        "file_versions",
        "owner_kind owner path number",
        "path text",
        "owner_kind = 'person' AND owner = :person",
        at_once=10,
    ),
    _held(
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
    _held(
        "automations",
        "automation_events",
        "seq",
        "text",
        "automation IN (SELECT ref FROM automations WHERE owner = :person)",
    ),
    _held(
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
    _held(
        "schedules",
        "schedules",
        "id",
        "body",
        "instr(session, :pattern) > 0",
        _REMOVE_SCHEDULE,
        session="session",
    ),
    _held(
        "schedules",
        "schedule_ticks",
        "schedule due",
        "detail",
        "schedule IN (SELECT id FROM schedules WHERE instr(session, :pattern) > 0)",
        ("UPDATE schedule_ticks SET detail = '' WHERE schedule = ?1 AND due = ?2",),
        session="(SELECT session FROM schedules WHERE id = schedule_ticks.schedule)",
    ),
    _held("changes that can be taken back", "undoable", "id", "name back", "person"),
    # --- what was learned ---
    _held(
        "facts of conversations",
        "known_facts",
        "session_id key",
        "key fact history",
        f"session_id IN {_SESSIONS}",
    ),
    _held(
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
    _held("things about to be learned", "distillations", "id", "entries", "person"),
    _held(
        "requests that tools served",
        "tool_requests",
        "person reach channel tool words",
        "words",
        "person",
    ),
    # --- what was said, and the record of the work ---
    _held(
        "messages",
        "messages",
        "id",
        "text",
        "(author = :person OR (addressee = :person AND addressee <> '' AND author LIKE 'agent:%'))",
        ("UPDATE messages SET text = '', deleted_at = coalesce(deleted_at, at) WHERE id = ?1",),
    ),
    _held(
        "requests in the log",
        "cycle_events",
        "id",
        "step data",
        f"person = :person AND turn NOT IN {_OPEN_TURNS}",
        by="cycle_id",
        at_once=50,
    ),
    _held(
        "requests",
        "inbox",
        "id",
        "body error",
        f"{_SETTLED} AND instr(session, :pattern) > 0",
        _FORGET_TURN,
        session="session",
    ),
    _held(
        "requests",
        "steps",
        "turn key",
        "value",
        f"turn IN {_TURNS}",
        _FORGET_TURN,
        by="turn",
        at_once=20,
    ),
    _held("requests", "plan_orders", "id", "text", f"turn IN {_TURNS}", _FORGET_TURN, by="turn"),
    _held(
        "requests",
        "questions",
        "id",
        "text options",
        f"person = :person AND state <> 'open' AND turn NOT IN {_OPEN_TURNS}",
        _FORGET_TURN,
        by="turn",
    ),
    _held(
        "requests",
        "attachments",
        "turn position",
        "name mime",
        f"turn IN {_TURNS}",
        _FORGET_TURN,
        by="turn",
    ),
    _held(
        "conversations",
        "transcript",
        "session_id epoch seq",
        "message",
        f"session_id IN {_SESSIONS} AND session_id IN {_ENDED}",
        _FORGET_SESSION,
        by="session_id",
        at_once=50,
    ),
    _held(
        "conversations",
        "sessions",
        "id",
        "system tools unlocked active_skills untold_facts",
        f"id IN {_SESSIONS} AND state = 'ended'",
        _FORGET_SESSION,
        at_once=20,
    ),
    _held(
        "files that conversations saw",
        "session_values",
        "session name key",
        "key",
        f"name = 'seen' AND session IN {_SESSIONS}",
    ),
    _held(
        "earlier wishes to forget",
        "session_values",
        "session name key",
        "key",
        f"name = 'forgotten' AND session IN {_SESSIONS} AND session IN {_ENDED}",
    ),
    _held(
        "posts on their way",
        "outbox",
        "key",
        "message error",
        "person = :person AND state <> 'pending'",
    ),
    _held("requests that wait for an account", "connection_waits", "id", "message", "person"),
    # --- what was allowed ---
    _held(
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
    _held(
        "cards",
        "cards",
        "key",
        "message line",
        "(ref IN (SELECT ref FROM approvals WHERE person = :person)"
        " OR key IN (SELECT key FROM messages WHERE addressee = :person AND addressee <> '')"
        " OR ref IN (SELECT 'todo:' || id FROM todos WHERE owner = :person))",
    ),
    _held("approvals", "plan_lines", "approval line", "arguments", "person"),
    _held("grants", "grants", "ref", "targets", "person"),
    _held(
        "lines of the audit",
        "audit",
        "id",
        "detail",
        "person",
        ("UPDATE audit SET detail = '' WHERE id = ?1",),
    ),
)
