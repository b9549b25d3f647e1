"""What surrounds the program in a campaign: both platforms, people, model and home."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.loopback.discord import DiscordPlatform
from bot.loopback.messages_api import MessagesApi
from bot.loopback.slack import SlackPlatform
from bot.testing.campaign.home import furnish
from bot.testing.campaign.people import Crowd, Places
from bot.testing.campaign.speaker import Speaker

FORGET_S = 1.0


@asynccontextmanager
async def crowd_of(
    places: Places, speaker: Speaker, home: Path, port: int = 0, mode: str = "socket"
) -> AsyncGenerator[Crowd]:
    """Open both platforms with people, and a home that serves them, its HTTP server on `port`.

    `mode` is that of Slack.
    """
    async with (
        MessagesApi(respond=speaker.respond, strict=False) as api,
        DiscordPlatform() as discord,
        SlackPlatform() as slack,
    ):
        crowd = Crowd(discord, slack, places)
        furnish(home, crowd, api.base_url, port, mode)
        forgetting = asyncio.create_task(_forget(api))
        try:
            yield crowd
        finally:
            forgetting.cancel()


async def _forget(api: MessagesApi) -> None:
    """Drop recorded requests: a long campaign never reads them, and they are large."""
    while True:
        await asyncio.sleep(FORGET_S)
        api.requests.clear()
