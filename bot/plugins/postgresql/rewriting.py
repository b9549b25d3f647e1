"""Writes a PostgreSQL database anew, so that deleted rows leave no bytes in its table files."""

import psycopg
from psycopg import sql

from bot.plugins.postgresql.connecting import JOBS_SCHEMA, SCHEMA, Server, reason

WAL = "the server's write-ahead log, until it is recycled; its archive and backups are the server's"
_TABLES = (
    "SELECT n.nspname, c.relname FROM pg_class AS c"
    " JOIN pg_namespace AS n ON n.oid = c.relnamespace"
    " WHERE c.relkind = 'r' AND n.nspname IN (%s, %s) ORDER BY 1, 2"
)


_SAMPLES = (
    "DELETE FROM pg_catalog.pg_statistic WHERE starelid IN (SELECT c.oid FROM pg_class AS c"
    " JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname IN (%s, %s))"
)


async def rewrite(server: Server) -> tuple[str, ...]:
    """Rewrite each table with its indexes. Returns what remains, in words.

    Others wait for each table while it is copied. Raises psycopg.Error.
    """
    remains = [WAL]
    connection = await psycopg.AsyncConnection.connect(server.conninfo, autocommit=True)

    async def attempt(statement: str, what: str, params: tuple[str, ...] = ()) -> None:
        try:
            await connection.execute(statement.encode(), params or None)
        except psycopg.errors.InsufficientPrivilege as error:
            remains.append(f"{what} ({reason(error)})")

    async with connection:
        # A long transaction of somebody else must not hold up everybody behind this one.
        await connection.execute("SET lock_timeout = '10s'")
        # The list of terms keeps those that no row has any more.
        await connection.execute("DELETE FROM word_terms WHERE doc <= 0")
        # The planner's statistics have samples of texts; ANALYZE keeps those of an empty table.
        schemas = (SCHEMA, JOBS_SCHEMA)
        await attempt(_SAMPLES, "the planner's samples of texts in pg_statistic", schemas)
        cursor = await connection.execute(_TABLES, schemas)
        for schema, table in await cursor.fetchall():
            await connection.execute(
                sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(schema, table))
            )
        await attempt(
            "VACUUM FULL pg_catalog.pg_statistic", "older samples of texts in pg_statistic"
        )
        await attempt("CHECKPOINT", "files of replaced tables, until the server's next checkpoint")
    return tuple(remains)
