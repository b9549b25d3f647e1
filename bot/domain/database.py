"""The interface to the database: atomic units of writes, and reads."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass
from typing import Any, ClassVar, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

Params: TypeAlias = tuple[Any, ...]
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Condition:
    """A part of a WHERE clause, with its parameters."""

    sql: str
    params: Params = ()


ALWAYS = Condition("true")


@dataclass(frozen=True)
class Read:
    """One SELECT with `?` parameters."""

    sql: str
    params: Params = ()


@dataclass(frozen=True)
class Write:
    """One SQL statement with `?` parameters.

    `rows`: how many rows it must touch, else the unit is rejected.
    """

    sql: str
    params: Params = ()
    rows: int | None = None
    expendable: str = ""
    """A log table. If it is damaged, it starts anew and the unit is still stored."""


@dataclass(frozen=True)
class Unit:
    """Writes that are committed together or not at all; at most 200.

    Empty units cost nothing.
    """

    writes: tuple[Write, ...] = ()

    def __add__(self, other: "Unit") -> "Unit":
        return Unit(self.writes + other.writes)

    def __bool__(self) -> bool:
        return bool(self.writes)

    @classmethod
    def of(cls, *writes: Write) -> Self:
        return cls(writes)

    @classmethod
    def joined(cls, units: Iterable["Unit"]) -> Self:
        return cls(tuple(write for unit in units for write in unit.writes))


@dataclass(frozen=True)
class WriteResult:
    """The result of a unit: for each write the rows of its RETURNING clause (empty without one)."""

    returned: tuple[tuple[Row, ...], ...]


class Database(Protocol):
    """A SQLite file, or a database on a server. Statements are in SQLite's SQL."""

    async def write(self, unit: Unit) -> WriteResult:
        """Apply a unit durably (fsynced on return).

        Raises UnitRejected or StorageError, then nothing was applied.
        """
        ...

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """Run one SELECT on a reader connection and return all rows."""
        ...

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None: ...

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        """Run several SELECTs in one journey, and return the rows of each.

        They run one after the other, and see what others commit in between.
        """
        ...


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T", bound=_Dataclass)


def made_of(kind: type[T], row: Row, **read: Any) -> T:
    """A dataclass whose fields are the columns of their names, but for those that `read` gives."""
    columns = {name: row[name] for name in kind.__dataclass_fields__ if name not in read}
    return kind(**columns, **read)


async def read_number(database: Database, sql: str, params: Sequence[Any] = ()) -> int:
    """The number that a SELECT of one value finds; 0 where it finds none."""
    row = await database.read_one(sql, params)
    return int(next(iter(row.values())) or 0) if row else 0


@runtime_checkable
class RewritableDatabase(Database, Protocol):
    """A database whose files can be rid of deleted rows."""

    async def rewrite(self) -> tuple[str, ...]:
        """Write all tables and indexes anew, so that no byte of deleted rows stays in their files.

        It copies everything, and writes wait meanwhile. Returns what could not be done, in words.
        Raises StorageError.
        """
        ...


class OpenDatabase(RewritableDatabase, Protocol):
    """A database that is connected until it is closed."""

    async def close(self) -> None:
        """Write what is queued, then close all connections."""
        ...
