"""What the rows of the last version before the schema files become when a home is carried over."""

from typing import TypeAlias

Rows: TypeAlias = dict[str, list[tuple[object, ...]]]


def without_moments(rows: Rows) -> Rows:
    """The rows of a carried home, without the moment in which it was carried."""
    return rows | {"plugin_migrations": [row[:3] for row in rows["plugin_migrations"]]}


def carried(rows: Rows) -> Rows:
    """The rows by table, each sorted, as `without_moments` has them."""
    left = dict(rows)
    del left["moved_preferences"]  # nobody is told of that anymore
    home: list[tuple[object, ...]] = [
        *(("home id", "", one, "") for _, one in left.pop("home_id")),
        *(("exported", "", str(after), "") for _, after in left.pop("exported_cycles")),
        *(("heard until", line, floor, "") for line, floor in left.pop("recoveries")),
        *(("commands", scope, record, "") for scope, record in left.pop("registrations")),
        *(("refused token", *row) for row in left.pop("refused_tokens")),
        *(("messages read", "", str(last), "") for _, last in left.pop("message_words_reached")),
        *(("mcp tools", *row) for row in left.pop("mcp_servers")),
    ]
    person: list[tuple[object, ...]] = [
        *((one, "reminders", "", choice) for one, choice in left.pop("remindme_choices")),
        *((one, "messages", "", "refused") for (one,) in left.pop("message_refusals")),
        *((one, "shown", name, content) for one, name, content in left.pop("shown_contents")),
    ]
    sessions = [(*row, 0) for row in left.pop("sessions")]  # no transcript was changed
    channels = [(*row, "") for row in left.pop("channels")]  # nobody chose a mode
    mail = [row[1:] for row in left.pop("mail")]  # a plug-in's, in the order of their moments
    new: Rows = {name: [] for name in ("booking_pages", "bookings", "polls")}
    by_plugin: list[tuple[object, ...]] = [("mail", 1, "0001_mail.sql")]
    return (
        left
        | new
        | {"plugin_migrations": by_plugin}
        | {"home_values": sorted(home, key=repr), "person_values": sorted(person, key=repr)}
        | {"sessions": sessions, "channels": channels, "mail_received": mail}
    )
