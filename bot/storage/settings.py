"""`database:` in bellhop.yaml."""

from bot.settings import Section


class DatabaseSettings(Section):
    """Where the state of an installation is stored."""

    url: str = "sqlite:///data/bellhop.db"
    """A SQLite file, relative to the home folder; or `${DATABASE_URL}`, with the `postgresql://`
    URL in .env. A URL with a password is a secret, so it never stands in bellhop.yaml. See
    docs/running.md#postgresql.
    """
