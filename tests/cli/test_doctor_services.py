"""`bellhop doctor --live` names a key that is set and refused."""

from contextlib import AsyncExitStack
from pathlib import Path

from bot.assembly import plugins
from bot.assembly.home_settings import load_settings
from bot.cli.service_findings import accounts_set_up
from bot.testing.services.brave_search import BraveSearch
from bot.testing.services.firecrawl_scrape import FirecrawlScrape
from bot.testing.services.mailgun_mail import MailgunMail
from bot.testing.services.resend_mail import ResendMail
from bot.testing.services.vendor import serving


async def test_each_key_that_is_set_is_tried_and_a_refused_one_is_named(tmp_path: Path):
    async with AsyncExitStack() as stack:
        brave, firecrawl = [
            await stack.enter_async_context(serving(vendor))
            for vendor in (BraveSearch(), FirecrawlScrape())
        ]
        resend = await stack.enter_async_context(serving(ResendMail()))
        mailgun = await stack.enter_async_context(serving(MailgunMail()))
        (tmp_path / "bellhop.yaml").write_text(
            f"web_tools: {{addresses: {{brave: '{brave.url}', firecrawl: '{firecrawl.url}'}}}}\n"
            f"mail: {{addresses: {{resend: '{resend.url}', mailgun: '{mailgun.url}'}},"
            f" mailgun_domain: {mailgun.domain}}}\n"
        )
        (tmp_path / ".env").write_text(
            f"BRAVE_API_KEY=wrong-key-1234\nFIRECRAWL_API_KEY={firecrawl.key}\nMAILGUN_API_KEY=wrong-key-5678\n"
        )
        settings = load_settings(tmp_path)
        found = {finding.check: finding for finding in await plugins.asked(settings)}
    assert found["service Firecrawl"].state == "ok"
    assert found["service Brave Search"].state == found["service Mailgun"].state == "error"
    assert "BRAVE_API_KEY" in found["service Brave Search"].text
    assert "wrong-key" not in str(found)
    assert "service Resend" not in found
    assert resend.asked == []


def test_half_of_a_client_at_a_service_asks_for_the_other_half(tmp_path: Path):
    def told(env: str) -> list[str]:
        (tmp_path / ".env").write_text(env)
        return [finding.text for finding in accounts_set_up(load_settings(tmp_path))]

    key = f"BELLHOP_SECRET_KEY={'A' * 43}=\n"
    whole = "NOTION_CLIENT_ID=client-1234567\nNOTION_CLIENT_SECRET=secret-1234567\n"
    assert told("") == told(key) == told(key + whole) == []
    (text,) = told(key + "SLACK_CLIENT_ID=client-1234567\n")
    assert (
        text
        == "SLACK_CLIENT_ID is set, but nobody can connect Slack: SLACK_CLIENT_SECRET is not set"
    )
    (text,) = told(key + "GITHUB_CLIENT_SECRET=secret-1234567\n")
    assert "GITHUB_CLIENT_ID is not set" in text
    assert "secret-1234567" not in text
    (text,) = told(whole)
    assert "bellhop rotate-key" in text
