"""Tables of plug-ins whose rows are people's: what moves, is exported and is forgotten."""

from dataclasses import dataclass

from bot.domain.languages import CountedPhrase, Language


@dataclass(frozen=True)
class PartTable:
    """A table whose rows are parts of a person's rows, such as the texts of a meeting.

    They stand in the person's export, and go with their row. If a part has words that its person
    wants forgotten, the whole row is deleted.
    """

    name: str
    whole: str
    """The column with the key of the row that it belongs to."""
    key: tuple[str, ...]
    """The columns of its primary key."""
    words: tuple[str, ...] = ()
    """The columns that hold people's words."""
    persons: tuple[str, ...] = ()
    """The columns with ids of people."""
    index: str = ""
    """The full-text table with the words of its rows: each has the number `seq` of its row."""


@dataclass(frozen=True)
class PersonTable:
    """A table with a column that says whose each row is.

    Its rows follow a person who gets another id, and stand in the person's export. A row with words
    that its person wants forgotten is deleted.
    """

    name: str
    owner: str
    """The column with the person's id; it needs an index, because each start asks for people."""
    key: tuple[str, ...]
    """The columns of its primary key. A person keeps their own row where two ids have the same."""
    one: str
    """What a row is called, such as `mail`."""
    many: str
    """What several are called, such as `mails`."""
    words: tuple[str, ...] = ()
    """The columns that hold people's words."""
    exported: bool = True
    """Whether its rows stand in an export."""
    called: CountedPhrase | None = None
    """`one` and `many` in each language; without it people read the English words."""
    once: tuple[str, ...] = ()
    """Columns that no two rows of a person share: the person keeps their own here, too."""
    made: bool = False
    """Whether people make the rows themselves, so that they are told when theirs move."""
    parts: tuple[PartTable, ...] = ()
    """Tables with parts of its rows; then its `key` is one column."""
    index: str = ""
    """The full-text table with the words of its rows: each has the number `seq` of its row."""
    sealed: tuple[str, ...] = ()
    """The columns with what the plug-in sealed, which a new key of the home seals anew."""
    before_moving: tuple[str, ...] = ()
    """Statements in front of the move of a person's rows; a repetition must change nothing.

    Their `?1` is the earlier id, and `?2` the one that the person has now.
    """
    before_deleting: tuple[str, ...] = ()
    """Statements in front of the deletion of a row with words to forget; `?1` is its key."""

    def name_of(self, count: int, language: Language) -> str:
        """What so many rows are called, without their number."""
        if self.called is not None:
            return self.called.said(language, count)
        return self.one if count == 1 else self.many
