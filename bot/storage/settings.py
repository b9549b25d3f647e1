"""`database:` in bellhop.yaml."""

from bot.settings import Section


class DatabaseSettings(Section):
    """Where the state of an installation is kept."""

    url: str = "sqlite:///data/bellhop.db"
    """A SQLite file, relative to the home folder. PostgreSQL is refused until it is supported."""
