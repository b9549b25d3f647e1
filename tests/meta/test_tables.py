"""docs/tables.md says of each table what the schema, and the lists of personal tables, say."""

import re
from dataclasses import replace
from pathlib import Path

from bot.assembly.own_plugins import OWN
from bot.domain.person_tables import PartTable
from bot.sessions.people.person_store import COLUMNS, ELSEWHERE, ONCE, SESSION_KEYS, SUMS
from bot.storage.forgetting.holdings import HOLDINGS
from bot.storage.migrate import schema
from tests.storage.forgetting.wordless import INDEXES, KEPT_ABOUT_OTHERS
from tests.table_page import TableLine, lines, unowned

_PARTS = re.compile(
    r"^-- --- (?P<room>\w+) -+$|^(?P<holds>(?:-- .*\n)+)CREATE (?:VIRTUAL )?TABLE (?P<table>\w+)",
    re.MULTILINE,
)


def whose(table: str) -> str:
    """The columns with a person id or a session key; none where there are none."""
    columns = [*COLUMNS.get(table, ())]
    if table in {*SUMS, *ONCE, *ELSEWHERE}:
        columns.append("person")
    if table in SESSION_KEYS:
        columns.append(SESSION_KEYS[table])
    return ", ".join(f"`{name}`" for name in dict.fromkeys(columns))


def words(table: str) -> str:
    """The columns that are searched for words to forget."""
    if table in INDEXES:
        return "an index"
    searched = [name for one in HOLDINGS if one.table == table for name in one.texts]
    names = ", ".join(f"`{name}`" for name in dict.fromkeys(searched))
    return names or ("names alone" if table in KEPT_ABOUT_OTHERS else "none")


def of_plugins(root: Path) -> dict[str, TableLine]:
    """What the tables of our own plug-ins hold, whose they are, and their words."""
    tables = [table for plugin in OWN for table in plugin.tables]
    declared = {one.name: one for table in tables for one in (table, *table.parts)}
    indexes = {one.index for one in declared.values()} - {""}
    files = sorted((root / "bot/plugins").glob("*/migrations/*.sql"))
    text = "\n".join(one.read_text() for one in files)
    found: dict[str, TableLine] = {}
    for part in _PARTS.finditer(text):
        holds = " ".join(line.removeprefix("-- ") for line in part["holds"].splitlines())
        if table := declared.pop(part["table"], None):
            persons = table.persons if isinstance(table, PartTable) else (table.owner,)
            whose, searched = (
                ", ".join(f"`{name}`" for name in names) for names in (persons, table.words)
            )
            found[table.name] = TableLine("plug-ins", holds, whose, searched or "none")
        elif part["table"] in indexes:
            found[part["table"]] = TableLine("plug-ins", holds, "", "an index")
        else:
            named = "\n    person " in text[part.end() :].partition(");")[0]
            found[part["table"]] = TableLine("plug-ins", holds, "`person`" if named else "", "none")
    assert declared == {}, "the migrations of a plug-in make what its `tables` name"
    return found


def expected() -> dict[str, TableLine]:
    found: dict[str, TableLine] = {}
    room = ""
    for part in _PARTS.finditer(schema()):
        if part["room"]:
            room = part["room"]
            continue
        table = part["table"]
        if table == "message_terms":
            continue
        holds = " ".join(line.removeprefix("-- ") for line in part["holds"].splitlines())
        found[table] = TableLine(room, holds, whose(table), words(table))
    return found


def test_the_page_of_tables_says_what_the_schema_and_the_lists_say(root: Path):
    stated, kept = lines(), unowned()
    for name in kept:
        stated[name] = replace(stated[name], whose="")
    assert stated == {**expected(), **of_plugins(root)}
    assert list(stated)[: len(expected())] == list(expected()), "in the order of the schema"


def test_every_table_of_the_schema_is_on_the_page():
    made = set(re.findall(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", schema(), re.MULTILINE))
    assert made - set(expected()) == {"message_terms"}, "a line above a table says what it holds"
