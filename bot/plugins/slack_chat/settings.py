"""`slack:` in bellhop.yaml, and the secrets that come with it."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field, field_validator

from bot.plugin.chat import Answer, AnsweredPlace, PlatformSettings, answer_in, checked_answers

OFFICIAL_API = "https://slack.com/api/"


class SlackSettings(PlatformSettings):
    """The connection to Slack."""

    api_base: str = OFFICIAL_API
    """The address of the Web API; change it for tests and proxies."""
    mode: Literal["socket", "http"] = "socket"
    """`socket` needs SLACK_APP_TOKEN and no public address.

    `http` takes signed requests on /slack/events of the HTTP server and needs SLACK_SIGNING_SECRET.
    """
    search: bool = False
    """Whether `search` also asks Slack's own search for what was said in public channels before
    Bellhop came. Install the app again with the new manifest. The words of the search go to
    Slack.
    """
    thumbs: bool = True
    """Whether answers have Slack's thumbs, by which their person rates them (`/rate`)."""
    channels: dict[str, AnsweredPlace] = Field(default_factory=dict)
    """By channel id, or `dm`, `private`, `public`, `workspace:ID`: `answer` (`mention`, `all` or
    `off`), and what docs/people.md#rights-per-place lists. A thread counts as its channel.
    """

    @field_validator("api_base")
    @classmethod
    def _address(cls, value: str) -> str:
        if not value.startswith(("https://", "http://127.0.0.1", "http://localhost")):
            raise ValueError("must start with https:// (plain http only on this machine)")
        return value if value.endswith("/") else f"{value}/"

    @field_validator("channels")
    @classmethod
    def _named(cls, channels: dict[str, AnsweredPlace]) -> dict[str, AnsweredPlace]:
        return checked_answers(channels)

    def answer_in(self, channel: str) -> Answer:
        """How messages of this channel are treated: mention, all or off."""
        return answer_in(self.channels, channel)


@dataclass(frozen=True)
class SlackTokens:
    """SLACK_BOT_TOKEN, SLACK_APP_TOKEN (Socket Mode) and SLACK_SIGNING_SECRET (http)."""

    bot: str = field(repr=False)
    app: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)

    def problems(self, settings: SlackSettings) -> list[str]:
        """Missing or wrong tokens, one sentence each with the remedy."""
        found: list[str] = []
        if not self.bot.startswith("xoxb-"):
            found.append(
                _wrong(
                    "SLACK_BOT_TOKEN",
                    self.bot,
                    "xoxb-",
                    "OAuth & Permissions, Bot User OAuth Token",
                )
            )
        if settings.mode == "socket" and not self.app.startswith("xapp-"):
            remedy = "Basic Information, App-Level Tokens, with the scope connections:write"
            found.append(_wrong("SLACK_APP_TOKEN", self.app, "xapp-", remedy))
        if settings.mode == "http" and not self.signing_secret:
            found.append(
                "SLACK_SIGNING_SECRET is missing; copy it from Basic Information, App "
                "Credentials, and put it into .env"
            )
        return found


def _wrong(name: str, value: str, prefix: str, remedy: str) -> str:
    if value:
        return f"{name} does not start with {prefix}; take the one from {remedy}"
    return f"{name} is missing; take the one from {remedy}, and put it into .env"
