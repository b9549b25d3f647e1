"""`mail:` in bellhop.yaml: who carries the mail of agents."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from bot.plugin.plugin import Section
from bot.plugin.services import checked_base_url

RESEND_KEY, MAILGUN_KEY = "RESEND_API_KEY", "MAILGUN_API_KEY"
SECRET = "RESEND_WEBHOOK_SECRET"  # noqa: S105 - its name
"""Signs Resend's notices about new mail."""
BaseUrl = Annotated[str, AfterValidator(checked_base_url)]


MailCarrier: TypeAlias = Literal["resend", "mailgun"]


class MailSettings(Section):
    """The services' keys are in .env; an agent's address is `agents.overrides.<agent>.email`."""

    addresses: dict[MailCarrier, BaseUrl] = Field(default_factory=dict[MailCarrier, str])
    """Where Resend and Mailgun are, if not at their usual addresses: `{mailgun:
    "https://api.eu.mailgun.net"}` for domains in the EU.
    """
    mailgun_domain: str = Field(
        default="", pattern=r"^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]*$", examples=["mg.example.org"]
    )
    """The domain at Mailgun that sends. Without one, or without its key, Resend sends
    (docs/web.md#mail).
    """

    @property
    def resend_url(self) -> str:
        return self.addresses.get("resend", "https://api.resend.com")

    @property
    def mailgun_url(self) -> str:
        return self.addresses.get("mailgun", "https://api.mailgun.net")


def sending_key(settings: MailSettings, secret: Callable[[str], str]) -> str:
    """The name of the key that mail is sent with."""
    by_mailgun = settings.mailgun_domain and (secret(MAILGUN_KEY) or not secret(RESEND_KEY))
    return MAILGUN_KEY if by_mailgun else RESEND_KEY


def has_carrier(secret: Callable[[str], str]) -> bool:
    """Whether the key of a service is set; without one, nobody can send or read mail."""
    return bool(secret(RESEND_KEY) or secret(MAILGUN_KEY))


def receives_mail(secret: Callable[[str], str]) -> bool:
    """Whether mail can be received: Resend's notices are signed, and its key is set."""
    return bool(secret(RESEND_KEY) and secret(SECRET))
