"""`mail:` in bellhop.yaml: who carries the mail of agents."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from bot.settings import Section
from bot.web.service import checked_base_url

BaseUrl = Annotated[str, AfterValidator(checked_base_url)]


class MailSettings(Section):
    """The services' keys are in .env; an agent's address is `agents.overrides.<agent>.email`."""

    send_with: Literal["resend", "mailgun"] = "resend"
    resend_url: BaseUrl = "https://api.resend.com"
    mailgun_url: BaseUrl = "https://api.mailgun.net"
    mailgun_domain: str = Field(default="", pattern=r"^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]*$")
    """The domain at Mailgun that sends."""
    skew_s: int = Field(default=300, ge=10, le=3_600)
    """How far a notice's time may differ from this machine's, in either direction."""
