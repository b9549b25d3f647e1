"""What the rows of the version before become when a home is carried over."""

from typing import TypeAlias

from bot.testing.own_tables import own_tables

Rows: TypeAlias = dict[str, list[tuple[object, ...]]]
RENAMED = {
    "notes": "notes_kept",
    "bookings": "booking_made",
    "polls": "polls_open",
    "meetings": "meetings_kept",
    "people": "people_files",
    "people_notes": "people_remarks",
    "meeting_texts": "meetings_texts",
    "meeting_texts_text": "meetings_words",
}
"""Tables that became those of plug-ins."""
AT = "2026-11-30T00:00:00.000000+00:00"
LISTED = "INSERT INTO home_values VALUES ('mcp tools', 'sums', '[]', '2026-11-29')"
"""A value that is a row of a plug-in now."""


def _values(left: Rows) -> None:
    """Small tables whose rows are values now."""
    left["home_values"] += [
        *(("automations", *row) for row in left.pop("automation_channels")),
        *(("claim code", *row) for row in left.pop("claim_codes")),
        *(("wrong code", f"{at} {id_}", who, at) for id_, who, at in left.pop("claim_tries")),
        *(
            ("connecting", state, f"{person}|{service}|{sealed}", at)
            for state, person, service, sealed, at in left.pop("connection_requests")
        ),
        *(("draft", id_, "|".join(map(str, at)), "") for id_, *at in left.pop("open_drafts")),
        *(("life", str(after), identity, "") for after, identity in left.pop("lives")),
        *(("memory pass", row[1], _pass(*row), row[1]) for row in left.pop("memory_passes")),
        *(
            ("refused content", f"{model} {what}", "", at)
            for model, what, at in left.pop("refused_content")
        ),
    ]
    left["home_values"] += [
        ("raised budget", f"{day} {budget} {whose} {approval}", by, "")
        for day, budget, whose, approval, by in left.pop("budget_extensions")
    ]
    left["session_values"] = [
        *((session, "seen", path, version) for session, path, version in left.pop("seen_files")),
        *(
            (one, "forgotten", f"{at} {words}", "")
            for one, at, words in left.pop("forgotten_words")
        ),
    ]
    left["person_values"] += [
        *(
            (person, "learning", channel, at if learns else "off")
            for person, channel, learns, at in left.pop("memory_choices")
        ),
        *((one, "looked at", f"{a} {k}", now) for one, a, k, now in left.pop("account_cursors")),
        *((one, "shared", ref, f"{at} {where}") for ref, one, where, at in left.pop("shares")),
    ]


def _pass(*row: object) -> str:
    names = ("people", "summaries", "entries", "merged", "archived", "failed")
    _, _, asked, *counts = row
    told = "".join(f', "{name}": {count}' for name, count in zip(names, counts, strict=True))
    return f'{{"asked": {"true" if asked else "false"}{told}}}'


def carried(rows: Rows) -> Rows:
    """The rows by table, each sorted.

    None of the `approvals` is open: whether it is asked each time counts no more. None of the
    `messages` was said beside its addressee's session, as far as was known.
    """
    left = {RENAMED.get(name, name): kept for name, kept in rows.items()}
    left["mcp_listed"] = [row[1:] for row in left["home_values"] if row[0] == "mcp tools"]
    left["home_values"] = [row for row in left["home_values"] if row[0] != "mcp tools"]
    _values(left)
    left["people_remarks"] = [
        (seq, *row[:11]) for seq, row in enumerate(sorted(left["people_remarks"], key=repr), 1)
    ]
    for name in ("approvals", "messages"):
        left[name] = [(*row, 0) for row in left[name]]
    left["plugin_migrations"] += [
        (*write.params[:5], AT)
        for write in own_tables()
        if write.params
        and write.params[0]
        in {"notes", "knowledge", "meetings", "people", "booking", "polls", "mcp"}
    ]
    return {name: sorted(kept, key=repr) for name, kept in left.items()}
