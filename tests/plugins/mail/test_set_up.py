"""What the operator hears of the set-up of mail, and what stays where there is none."""

from pathlib import Path

from bot.app import AppOptions, open_app
from bot.assembly.crew import keyed_offers
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import asked, findings
from bot.domain.access import Person, Role
from bot.domain.health import Check
from bot.plugin.plugin import Setup
from bot.plugins.mail.plugin import MailPlugin
from bot.plugins.mail.settings import MailSettings
from bot.plugins.mail.store import purge_mail, purge_sent
from bot.testing.services.resend_mail import ResendMail
from bot.testing.services.vendor import serving

OWNER = Person("o", "Olga", Role.MASTER_ADMIN, known=True)


def test_a_half_of_the_mail_set_up_asks_for_the_other(tmp_path: Path):
    def told(env: str, yaml: str = "") -> list[str]:
        (tmp_path / ".env").write_text(env)
        (tmp_path / "bellhop.yaml").write_text(yaml)
        found = [one for one in findings(load_settings(tmp_path)) if one.check == "mail"]
        assert {one.state for one in found} <= {"warning"}
        return [finding.text for finding in found]

    address = "agents: {overrides: {assistant: {email: bot@team.example}}}\n"
    assert told("") == []
    assert told("RESEND_API_KEY=re_1234567890\n", address) == []
    (text,) = told("RESEND_API_KEY=re_1234567890\n")
    assert "agents.overrides.assistant.email" in text
    (text,) = told(
        "RESEND_API_KEY=re_1234567890\n", address + "mail: {mailgun_domain: mg.team.example}\n"
    )
    assert "MAILGUN_API_KEY is not set" in text
    assert [text.split(":")[0] for text in told("RESEND_WEBHOOK_SECRET=whsec_1234567890\n")] == [
        "RESEND_WEBHOOK_SECRET is set, but mail that came in can't be fetched",
        "RESEND_WEBHOOK_SECRET is set, but nothing listens for mail",
    ]


async def test_a_key_that_may_only_send_is_good_enough(tmp_path: Path):
    async with serving(ResendMail(sends_only=True)) as resend:
        (tmp_path / ".env").write_text(f"RESEND_API_KEY={resend.key}\n")
        (tmp_path / "bellhop.yaml").write_text(f"mail: {{addresses: {{resend: '{resend.url}'}}}}\n")
        assert await asked(load_settings(tmp_path)) == [
            Check("service Resend", "ok", "takes its key, for sending alone")
        ]
        assert len(resend.asked) == 1


async def test_old_mail_goes_also_where_no_key_is_left(tmp_path: Path):
    async with open_app(AppOptions(tmp_path)) as app:
        (mail,) = [one for one in app.house.plugged if one.plugin.name == "mail"]
    assert mail.parts.connectors == ()
    assert mail.plugin.purges == (purge_mail, purge_sent)
    assert mail.parts.mail_in is None


def keyed(*, addressed: bool = False, **secrets: str) -> dict[str, str]:
    """The ways that a MasterAdmin is told, by what is missing."""

    def secret(name: str) -> str:
        return secrets.get(name, "")

    setup = Setup(MailSettings(), secret, addressed=addressed)
    lacking = [("mail", one) for one in MailPlugin().lacks(setup)]
    return {one.id: one.way for one in keyed_offers(lacking, OWNER, list)}


def test_mail_with_a_key_and_no_address_is_half_set_up():
    way = keyed()["mail"]
    assert "is not set up" in way
    assert "put RESEND_API_KEY into .env, then set agents.overrides.assistant.email" in way
    way = keyed(RESEND_API_KEY="k")["mail"]
    assert "only half set up" in way
    assert "agents.overrides.assistant.email" in way
    assert "RESEND_API_KEY" not in way
    assert "only half set up" in keyed(addressed=True)["mail"]
    assert "mail" not in keyed(RESEND_API_KEY="k", addressed=True)
