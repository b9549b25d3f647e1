"""`discord:` in bellhop.yaml."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field, field_validator

from bot.plugin.chat import Answer, AnsweredPlace, PlatformSettings, checked_keys, place_of_key


class PlaceSettings(AnsweredPlace):
    """The exceptions of one server or channel; missing keys have the general value."""

    threads: Literal["auto", "off"] | None = None


class DiscordSettings(PlatformSettings):
    """Discord. The bot's token is the secret DISCORD_TOKEN."""

    api_base: str = "https://discord.com/api/v10"
    """Where Discord's REST API is. It says where the gateway is."""
    threads: Literal["auto", "off"] = "auto"
    """Whether a mention in a channel opens a thread; if off, answers reply to the message."""
    channels: dict[str, PlaceSettings] = Field(default_factory=dict[str, PlaceSettings])
    """By channel id, or `workspace:ID` (a server), `category:ID`, `dm`, `private`, `public`:
    `answer` (`mention`, `all` or `off`), `threads`, and what docs/people.md#rights-per-place lists.
    A thread counts as its channel, and a channel comes before its server.
    """
    search: bool = False
    """Whether `search` also asks Discord's own search for what was said before Bellhop came.

    The words of the search go to Discord.
    """
    calls_per_s: int = Field(default=45, ge=1)
    """The limit for all calls together. Discord allows 50, and more to large bots on request."""
    shards: int = Field(default=1, ge=1, le=1000)
    """Connections that share the servers; Discord demands one for each 2,500.

    With PostgreSQL the gateways share them out (docs/scaling.md#roles-of-processes).
    """
    personal: bool = False
    """Whether people may install Bellhop for themselves, and ask it wherever they are.

    Only they read its answers there. Switch on User Install in the developer portal first.
    """

    @field_validator("channels")
    @classmethod
    def _named(cls, channels: dict[str, PlaceSettings]) -> dict[str, PlaceSettings]:
        checked_keys(channels)
        for key, place in channels.items():
            by_id = place_of_key(key).kind in {"channel", "workspace"}
            if not by_id and (place.answer or place.threads):
                raise ValueError(
                    f"{key}: answer and threads are set by channel id or workspace:ID; use reply "
                    f"for {key}"
                )
        return channels

    def place(self, guild: str | None, *channels: str | None) -> "DiscordPlace":
        """The settings of a place: `channels` are its id and those above it, nearest first."""
        keys = [*channels, f"workspace:{guild}"]
        found = [self.channels.get(key or "") for key in keys]
        known = [place for place in found if place is not None]
        answer: Answer = "mention"
        for place in reversed(known):
            answer = place.answered or answer
        threads = next((place.threads for place in known if place.threads), self.threads)
        return DiscordPlace(answer, threads == "auto")


@dataclass(frozen=True)
class DiscordPlace:
    answer: Answer
    threads: bool
