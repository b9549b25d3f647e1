"""Whether a person wants long answers short, with the rest as a file."""

from dataclasses import dataclass

from bot.domain.database import Database, Read, Unit
from bot.storage.values import PersonValue, drop_person_value, person_value, put_person_value

_SHORT = "short"


@dataclass(frozen=True)
class AnswerLengths:
    database: Database

    async def wants_short(self, person: str) -> bool:
        """Raises StorageError."""
        return await person_value(self.database, person, PersonValue.ANSWERS) == _SHORT

    async def choose(self, person: str, *, short: bool) -> None:
        """Raises StorageError."""
        write = (
            put_person_value(person, PersonValue.ANSWERS, _SHORT)
            if short
            else drop_person_value(person, PersonValue.ANSWERS)
        )
        await self.database.write(Unit.of(write))


def wants_short_read(person: str) -> Read:
    """Finds a row if they do."""
    sql = "SELECT 1 FROM person_values WHERE person = ? AND name = ? AND key = '' AND value = ?"
    return Read(sql, (person, PersonValue.ANSWERS, _SHORT))
