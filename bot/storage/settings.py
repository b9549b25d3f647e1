"""`database:` in bellhop.yaml."""

from bot.settings import Section


class DatabaseSettings(Section):
    """Where the state of an installation is stored."""

    url: str = "sqlite:///data/bellhop.db"
    """A SQLite file, relative to the home folder, or `${NAME}`: a `postgresql://` URL in .env.

    A URL with a password is a secret, so it never stands in bellhop.yaml.
    """
