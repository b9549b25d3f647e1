"""`telegram:` in bellhop.yaml, and the secrets that come with it."""

import re
from dataclasses import dataclass, field

from pydantic import Field, field_validator

from bot.plugin.chat import Answer, AnsweredPlace, PlatformSettings, answer_in, checked_answers

OFFICIAL_API = "https://api.telegram.org"
_TOKEN = re.compile(r"\d{3,20}:[A-Za-z0-9_-]{30,64}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{16,256}")
_ON_THIS_MACHINE = ("http://127.0.0.1", "http://localhost")


class TelegramSettings(PlatformSettings):
    """The connection to Telegram. The bot's token is the secret TELEGRAM_BOT_TOKEN."""

    api_base: str = OFFICIAL_API
    """The address of the Bot API; change it for a server of your own."""
    url: str = ""
    """The public https address in front of `console.port`: Telegram then sends to
    /telegram/updates there, and needs TELEGRAM_WEBHOOK_SECRET. Empty: Bellhop asks Telegram.
    """
    channels: dict[str, AnsweredPlace] = Field(default_factory=dict)
    """By id of a group, or `dm`, `private`, `public`, `workspace:ID`: `answer` (`mention`, `all` or
    `off`), and what docs/people.md#rights-per-place lists. A topic counts as its group.
    """

    @property
    def mode(self) -> str:
        return "webhook" if self.url else "polling"

    @field_validator("api_base")
    @classmethod
    def _address(cls, value: str) -> str:
        if not value.startswith(("https://", *_ON_THIS_MACHINE)):
            raise ValueError("must start with https:// (plain http only on this machine)")
        return value.rstrip("/")

    @field_validator("url")
    @classmethod
    def _public(cls, value: str) -> str:
        if value and not value.startswith(("https://", *_ON_THIS_MACHINE)):
            raise ValueError("must start with https://: Telegram calls no other address")
        return value.rstrip("/")

    @field_validator("channels")
    @classmethod
    def _named(cls, channels: dict[str, AnsweredPlace]) -> dict[str, AnsweredPlace]:
        return checked_answers(channels, "the id of a group")

    def answer_in(self, chat: str) -> Answer:
        """How messages of this chat are treated: mention, all or off."""
        return answer_in(self.channels, chat)


@dataclass(frozen=True)
class TelegramSecrets:
    """TELEGRAM_BOT_TOKEN, and TELEGRAM_WEBHOOK_SECRET for a webhook."""

    token: str = field(repr=False)
    webhook: str = field(default="", repr=False)

    @property
    def bot(self) -> str:
        """The bot's id, which is the first part of its token."""
        return self.token.partition(":")[0]

    def problems(self, settings: TelegramSettings) -> list[str]:
        """Missing or wrong secrets, one sentence each with the remedy."""
        found: list[str] = []
        if not self.token:
            found.append(
                "TELEGRAM_BOT_TOKEN is missing; take the one from @BotFather (/token), and put "
                "it into .env"
            )
        elif not _TOKEN.fullmatch(self.token):
            found.append(
                "TELEGRAM_BOT_TOKEN is no token like 123456789:AA...; take the one from "
                "@BotFather (/token), and put it into .env"
            )
        if settings.url and not _SECRET.fullmatch(self.webhook):
            found.append(
                "TELEGRAM_WEBHOOK_SECRET is missing or too short; put 16 to 256 letters, digits, "
                "_ or - of your own choice into .env"
            )
        return found
