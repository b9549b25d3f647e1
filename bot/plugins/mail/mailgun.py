"""Mailgun, for sending.

See https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages.
"""

import base64
from collections.abc import Callable

from pydantic import BaseModel

from bot.plugin.plugin import Clock
from bot.plugin.services import Call, KeyedService, ServiceError, WebClient
from bot.plugins.mail.resend import Outgoing, raise_if_unknown
from bot.plugins.mail.settings import MAILGUN_KEY


class _Sent(BaseModel):
    id: str


def mailgun(
    base_url: str, secret: Callable[[str], str], web: WebClient, clock: Clock
) -> KeyedService:
    """The service with its key, which is read at each call."""

    def headers() -> dict[str, str]:
        return {
            "Authorization": "Basic "
            + base64.b64encode(f"api:{secret(MAILGUN_KEY)}".encode()).decode()
        }

    return KeyedService("Mailgun", base_url, MAILGUN_KEY, headers, web, clock)


async def send(service: KeyedService, domain: str, mail: Outgoing) -> str:
    """Send the mail; returns its id at Mailgun.

    Raises ServiceError, and OutcomeUnknown when it is unknown whether it was sent.

    Mailgun knows no idempotency key, so a call without an answer is not repeated.
    """
    form = {"from": mail.sender, "to": mail.to, "subject": mail.subject, "text": mail.text}
    if mail.reply_to:
        form["h:Reply-To"] = mail.reply_to
    form |= {f"h:{name}": value for name, value in mail.fields.items()}
    try:
        answer = await service.ask(
            Call("POST", f"/v3/{domain}/messages", form=form, repeatable=False), _Sent
        )
    except ServiceError as error:
        raise_if_unknown(error)
        raise
    return answer.id.strip("<>")
