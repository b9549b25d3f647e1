"""Whether a person wants long answers whole, or their beginning with the rest apart."""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.database import Database, Read, Unit
from bot.storage.values import PersonValue, drop_person_value, person_value, put_person_value


class AnswerLength(StrEnum):
    """How a person gets long answers."""

    WHOLE = "whole"
    SHORT = "short"
    """The beginning, and the whole as a file."""
    THREAD = "thread"
    """The beginning in the channel, and the rest in the thread below the question."""


@dataclass(frozen=True)
class AnswerLengths:
    database: Database

    async def of(self, person: str) -> AnswerLength:
        """Raises StorageError."""
        kept = await person_value(self.database, person, PersonValue.ANSWERS)
        return AnswerLength.WHOLE if kept is None else AnswerLength(kept)

    async def choose(self, person: str, length: AnswerLength) -> None:
        """Raises StorageError."""
        write = (
            drop_person_value(person, PersonValue.ANSWERS)
            if length is AnswerLength.WHOLE
            else put_person_value(person, PersonValue.ANSWERS, length)
        )
        await self.database.write(Unit.of(write))


def reads_beginnings_read(person: str) -> Read:
    """Finds a row if they read the beginning of long answers first."""
    sql = "SELECT 1 FROM person_values WHERE person = ? AND name = ? AND key = ''"
    return Read(sql, (person, PersonValue.ANSWERS))
