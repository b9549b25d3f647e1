"""What the rows of the version before become when a home is carried over."""

from typing import TypeAlias

from bot.testing.own_tables import own_tables

Rows: TypeAlias = dict[str, list[tuple[object, ...]]]
RENAMED = {
    "notes": "notes_kept",
    "meetings": "meetings_kept",
    "meeting_texts": "meetings_texts",
    "meeting_texts_text": "meetings_words",
}
"""Tables that became those of plug-ins."""
AT = "2026-11-30T00:00:00.000000+00:00"


def carried(rows: Rows) -> Rows:
    """The rows by table, each sorted.

    None of the `approvals` is open: whether it is asked each time counts no more.
    """
    left = {RENAMED.get(name, name): kept for name, kept in rows.items()}
    left["approvals"] = [(*row, 0) for row in left["approvals"]]
    left["plugin_migrations"] += [
        (*write.params[:5], AT)
        for write in own_tables()
        if write.params and write.params[0] in {"notes", "knowledge", "meetings"}
    ]
    return {name: sorted(kept, key=repr) for name, kept in left.items()}
