"""The people and places of the demo, on both platforms."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.loopback.discord import DiscordPlatform
from bot.loopback.slack import ChannelKind, SlackPlatform
from bot.plugins.demo.discord_side import DiscordSide
from bot.plugins.demo.sides import ActorView, Side
from bot.plugins.demo.slack_side import SlackSide

OWNER = ActorView("olivia", "Olivia", "MasterAdmin")
MEMBER = ActorView("marek", "Marek", "Friend")
GUEST = ActorView("gwen", "Gwen", "Guest")
PEOPLE = (OWNER, MEMBER, GUEST)


@dataclass(frozen=True)
class Town:
    """Both platforms with their people."""

    discord: DiscordPlatform
    slack: SlackPlatform
    sides: tuple[Side, ...]
    accounts: dict[str, dict[str, str]]
    """The ids of each person on each platform, as contacts.yaml writes them."""


@asynccontextmanager
async def open_town() -> AsyncGenerator[Town]:
    """Serve both platforms until the block ends."""
    async with DiscordPlatform() as discord, SlackPlatform(strict=False) as slack:
        discord_people = {one.id: discord.person(one.name) for one in PEOPLE}
        slack_people = {one.id: slack.person(one.id) for one in PEOPLE}
        guild = discord.guild("Lakeside Studio")
        for name in ("general", "support"):
            discord.channel(guild, name)
        everybody = slack_people.values()
        slack.channel("general", *everybody)
        slack.channel("design", *everybody)
        owner = slack_people[OWNER.id]
        slack.channel("leads", owner, kind=ChannelKind.PRIVATE)
        accounts = {
            one.id: {
                "discord": discord_people[one.id].id,
                "slack": slack_people[one.id].id,
            }
            for one in PEOPLE
        }
        sides = (DiscordSide(discord, discord_people), SlackSide(slack, slack_people))
        yield Town(discord, slack, sides, accounts)
