"""Writes a SQLite database anew, so that deleted rows leave no bytes behind.

Each connection overwrites what it deletes in pages that it writes anyway (`secure_delete=FAST`;
overwriting freed pages, too, costs a tenth of the time of all writes). Still, freed pages keep
their bytes, the indexes of full text keep deleted words until their segments are merged, and the
write-ahead log has all former pages.
"""

import sqlite3

from bot.storage.forgetting.wordless import INDEXES

LOG_BUSY = "the write-ahead log, because somebody reads the database; it goes at the next start"


def rewrite(connection: sqlite3.Connection) -> tuple[str, ...]:
    """In the writer's thread, between transactions. Returns what could not be done.

    Raises sqlite3.Error.
    """
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema").fetchall()}
    for index in INDEXES:
        if index in there:
            # Merges all segments into one: only then deleted terms are dropped.
            connection.execute(f"INSERT INTO {index}({index}) VALUES ('optimize')")  # noqa: S608 - ours
    connection.execute("PRAGMA temp_store=FILE")  # VACUUM makes a whole copy
    connection.execute("PRAGMA secure_delete=ON")
    try:
        connection.execute("VACUUM")
    finally:
        connection.execute("PRAGMA secure_delete=FAST")
        connection.execute("PRAGMA temp_store=MEMORY")
    # It waits for readers as long as busy_timeout says.
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return (LOG_BUSY,) if busy else ()
