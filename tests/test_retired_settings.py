"""A home of an earlier version starts with what it said, or is told what to do."""

from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.connections.settings import ServicesSettings
from bot.domain.memory import Tier
from bot.errors import SettingsError
from bot.memory.settings import MemorySettings
from bot.plugins.browser.settings import BrowserSettings
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.plugins.mail.settings import MailSettings
from bot.plugins.telegram_chat.settings import TelegramSettings
from bot.plugins.web_tools.settings import WebToolSettings
from bot.tools.budget.settings import BudgetSettings

HOOK = "https://bot.example.org"
EARLIER = """\
memory: {user_chars: 0}
budgets: {per_turn_usd: 1.5, per_person_day_tool_calls: 9, per_guest_day_model_calls: 7}
services: {github: {token_url: "https://git.example.org/token", scopes: [repo]}}
discord: {guilds: {123: {answer: all, threads: off}}}
mail: {resend_url: "https://resend.example.org"}
web_tools: {firecrawl_url: "https://firecrawl.example.org"}
browser: {cdp_url: "http://chromium:9222"}
"""


def test_what_has_another_name_counts_as_before(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(EARLIER)
    settings = load_settings(tmp_path)
    budgets, github = settings.get(BudgetSettings), settings.section("services")
    assert isinstance(github, ServicesSettings)
    assert settings.get(MemorySettings).budget(Tier.USER) == 0
    assert settings.get(MemorySettings).budget(Tier.AGENT) == 8_000
    assert (budgets.per_turn.usd, budgets.per_person_day.tool_calls) == (1.5, 9)
    assert budgets.per_guest_day.model_calls == 7
    assert github.model_dump()["github"]["oauth"] == {"token_url": "https://git.example.org/token"}
    assert github.model_dump()["github"]["scopes"] == ("repo",)
    assert settings.get(DiscordSettings).place("123", "5").answer == "all"
    assert settings.get(MailSettings).resend_url == "https://resend.example.org"
    assert settings.get(WebToolSettings).firecrawl_url == "https://firecrawl.example.org"
    assert settings.get(BrowserSettings).cdp_url == "http://chromium:9222"
    assert len(settings.ignored) == 9
    assert all("its name now; rename it" in line for line in settings.ignored)


@pytest.mark.parametrize(
    ("text", "mode"),
    [("mode: polling", "polling"), (f"mode: webhook, url: '{HOOK}'", "webhook")],
)
def test_a_mode_of_telegram_that_holds_anyway_is_told(tmp_path: Path, text: str, mode: str):
    (tmp_path / "bellhop.yaml").write_text(f"telegram: {{{text}}}\n")
    settings = load_settings(tmp_path)
    assert settings.get(TelegramSettings).mode == mode
    assert "telegram.mode says what holds anyway; remove it" in " ".join(settings.ignored)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "policy: {file: rules.yaml}",
            "line 1: policy.file: .* with the rules policy.yaml",
        ),
        ("access: {contacts: people.yaml}", "access.contacts: .* known people contacts.yaml"),
        ("slack: {port: 3000}", "slack.port: .* console.port"),
        (f"telegram: {{mode: polling, url: '{HOOK}'}}", "line 1: telegram.mode: .* remove it for"),
        ("telegram: {mode: webhook}", "line 1: telegram.mode: .* set it for a webhook"),
    ],
)
def test_what_a_home_is_not_itself_without_ends_the_start(tmp_path: Path, text: str, told: str):
    (tmp_path / "bellhop.yaml").write_text(f"{text}\n")
    with pytest.raises(SettingsError, match=told):
        load_settings(tmp_path)
