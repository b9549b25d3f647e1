"""Mail: agents with an address of their own, through Resend or Mailgun."""

from collections.abc import Sequence

from bot.plugin.mail import MailGround
from bot.plugin.plugin import Check, Given, Lacking, Parts, Plugin, Receiver, Secret, Setup
from bot.plugin.services import Call, key_check
from bot.plugins.mail.settings import (
    MAILGUN_KEY,
    RESEND_KEY,
    SECRET,
    MailSettings,
    has_carrier,
    receives_mail,
    sending_key,
)
from bot.plugins.mail.store import TABLES, purge_mail, purge_sent

_TOOLS = frozenset({"send_email", "read_inbox"})
_SENDS_ONLY = "restricted"
"""Resend's error about a key that may only send, which is sufficient."""


class MailPlugin(Plugin[MailSettings]):
    name = "mail"
    title = "mail of agents with an address"
    settings = MailSettings
    secrets = (Secret(RESEND_KEY), Secret(SECRET), Secret(MAILGUN_KEY))
    secrets_note = (
        "Mail of agents: Resend sends and receives (its webhook's secret begins with whsec_); "
        "Mailgun can\n# send instead"
    )
    tables = TABLES
    purges = (purge_mail, purge_sent)

    def build(self, given: Given[MailSettings]) -> Parts:
        if not given.every and not has_carrier(given.secret):
            return Parts()
        from bot.plugins.mail.connector import MailConnector  # noqa: PLC0415 - only where it is used
        from bot.plugins.mail.inbound import NOTICE_BYTES, PATH  # noqa: PLC0415

        connector = MailConnector(
            given.database, given.clock, given.secret, given.settings, given.web, given.client_at
        )

        def mail_in(ground: MailGround) -> Receiver:
            return Receiver(PATH, connector.inbound(ground).receive, NOTICE_BYTES)

        return Parts(
            connectors=(connector,),
            mail_in=mail_in if receives_mail(given.secret) else None,
        )

    def lacks(self, setup: Setup[MailSettings]) -> Sequence[Lacking]:
        carried = has_carrier(setup.secret)
        steps = [] if carried else [f"put {RESEND_KEY} into .env"]
        steps += [] if setup.addressed else ["set agents.overrides.assistant.email"]
        if not steps:
            return ()
        step, begun = ", then ".join(steps), carried or setup.addressed
        gives = "a mail address of the agent's own"
        return (Lacking("Own mail", gives, _TOOLS, step, "docs/web.md", begun),)

    def problems(self, setup: Setup[MailSettings]) -> Sequence[str]:
        key = sending_key(setup.settings, setup.secret)
        problems: list[str] = []
        if setup.settings.mailgun_domain and key == RESEND_KEY:
            problems.append(
                f"mail.mailgun_domain is set, but Resend sends: {MAILGUN_KEY} is not set"
            )
        if setup.secret(key) and not setup.addressed:
            problems.append(
                f"{key} is set, but no agent has an address: set agents.overrides.assistant.email"
            )
        if setup.addressed and not setup.secret(key):
            problems.append(f"an agent has an address, but can't send: {key} is not set")
        if setup.secret(SECRET) and not setup.secret(RESEND_KEY):
            problems.append(
                f"{SECRET} is set, but mail that came in can't be fetched: {RESEND_KEY} is not set"
            )
        if setup.secret(SECRET) and not setup.listens:
            problems.append(f"{SECRET} is set, but nothing listens for mail: set console.port")
        return problems

    async def examine(self, setup: Setup[MailSettings]) -> Sequence[Check]:
        if not has_carrier(setup.secret):
            return ()
        from bot.plugins.mail.mailgun import mailgun  # noqa: PLC0415
        from bot.plugins.mail.resend import resend  # noqa: PLC0415

        wanted, secret, clock, at = setup.settings, setup.secret, setup.clock, setup.client_at
        asked = [
            (resend(wanted.resend_url, secret, at(wanted.resend_url), clock), "/domains"),
            (
                mailgun(wanted.mailgun_url, secret, at(wanted.mailgun_url), clock),
                f"/v3/domains/{wanted.mailgun_domain}",
            ),
        ]
        return [
            await key_check(service, Call("GET", path), limited=_SENDS_ONLY, limited_to="sending")
            for service, path in asked
            if secret(service.key_name)
        ]
