"""What models refused to read, as values of the home."""

from datetime import datetime, timedelta

from bot.domain.database import Database, Unit
from bot.storage.values import HomeValue, drop_old_values, home_values, put_home_value

KEPT = timedelta(days=30)
"""A model behind the same name may change: after that it is asked again."""


async def refused_content(database: Database, now: datetime) -> list[tuple[str, str]]:
    """Model and what it refused: `pictures`, or the hash of one."""
    refused = await home_values(database, HomeValue.REFUSED_CONTENT, after=now - KEPT)
    return [(model, what) for model, _, what in (key.rpartition(" ") for key in refused)]


def refused_unit(model: str, refused: frozenset[str], now: datetime) -> Unit:
    """Remember what a model refused, and forget what was long ago."""
    return Unit.of(
        drop_old_values(HomeValue.REFUSED_CONTENT, now - KEPT),
        *(
            put_home_value(HomeValue.REFUSED_CONTENT, "", f"{model} {what}", at=now)
            for what in sorted(refused)
        ),
    )
