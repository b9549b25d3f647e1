"""The records of the chat platforms agree with each other and with what the rest reads of them."""

import re

import pytest

from bot.assembly.own_plugins import KNOWN_PLATFORMS, OWN_PLATFORMS
from bot.domain.messages import Place
from bot.domain.places import PLATFORMS as NAMES
from bot.domain.places import NameKind, PlaceName
from bot.domain.platforms import KnownPlatforms, PlatformTraits
from bot.place_settings import checked_keys
from bot.plugin.chat import AnyPlatform
from bot.plugins.slack_chat.plugin import SLACK
from bot.sessions.settings import AccessSettings
from bot.settings import Section

EACH = pytest.mark.parametrize("platform", OWN_PLATFORMS, ids=lambda one: one.name)
WITH_SECRETS = pytest.mark.parametrize(
    "platform", [one for one in OWN_PLATFORMS if one.secrets], ids=lambda one: one.name
)


def test_rules_can_name_every_platform():
    assert tuple(traits.name for traits in KNOWN_PLATFORMS) == NAMES
    assert all(PlaceName.parse(name).kind is NameKind.PLATFORM for name in NAMES)
    assert all(PlaceName.parse(f"platform:{name}") == PlaceName.parse(name) for name in NAMES)
    assert all(str(PlaceName.parse(name)) == name for name in (*NAMES, "platform:postbox"))


def test_the_section_of_a_platform_has_no_place_for_another_platform():
    with pytest.raises(ValueError, match="of one platform"):
        checked_keys(["C1", "platform:slack"])


def _no_secret(name: str) -> str:
    return ""


@WITH_SECRETS
def test_a_platform_without_secrets_names_them_and_their_source(platform: AnyPlatform):
    wanted = platform.settings(enabled=True)
    problems = platform.problems(wanted, _no_secret)
    assert problems
    assert platform.secrets[0].name in problems[0]
    assert all("into .env" in problem for problem in problems)


@EACH
def test_the_tables_of_a_record_are_settings_that_exist(platform: AnyPlatform):
    sections: dict[str, Section] = {platform.name: platform.settings(), "access": AccessSettings()}
    for table in platform.id_tables:
        section, name, *platforms = table.setting.split(".")
        assert getattr(sections[section], name) == {}
        assert platforms in ([], [platform.name])
    own = platform.settings()
    for places in platform.place_tables(own):
        assert getattr(own, places.setting) is places.terms


@WITH_SECRETS
def test_the_steps_name_the_secrets_and_the_section(platform: AnyPlatform):
    steps = platform.steps()
    asked = [secret.name for secret in platform.secrets if secret.label]
    assert all(any(name in step for step in steps[: platform.first_steps]) for name in asked)
    assert any(f"{platform.name}: {{enabled: true}}" in step for step in steps)


@pytest.mark.parametrize("traits", list(KNOWN_PLATFORMS), ids=lambda one: one.name)
def test_an_id_reads_as_it_was_written(traits: PlatformTraits):
    assert traits.not_an_id(traits.id_example) is None
    account = traits.account(traits.id_example)
    assert traits.written_id(account.workspace, account.id) == traits.id_example
    workspace = account.workspace or "1001"
    found = traits.account_of(traits.person_id(workspace, account.id))
    assert found is not None
    assert found.id == account.id


@pytest.mark.parametrize(
    ("platform", "text", "id_"),
    [
        ("discord", "<@!123456789012345678>", "123456789012345678"),
        ("discord", " @123456789012345678", "123456789012345678"),
        ("discord", "U0123ABCD", None),
        ("slack", "<@U0123ABCD|ann>", "U0123ABCD"),
        ("slack", "U0123ABCD", "U0123ABCD"),
        ("slack", "ask U0123ABCD", None),
        ("terminal", "<@U0123ABCD>", None),
    ],
)
def test_a_mention_names_an_id_on_its_own_platform(platform: str, text: str, id_: str | None):
    assert KNOWN_PLATFORMS[platform].mentioned(text) == id_


def test_a_direct_message_that_is_not_open_yet_has_a_target():
    ann = KNOWN_PLATFORMS["discord"].direct("1001", "7")
    assert (ann.conversation.key, ann.ephemeral_to) == ("discord:dm:7", "7")
    ben = KNOWN_PLATFORMS["slack"].direct("T1", "U7")
    assert (ben.conversation.key, ben.ephemeral_to) == ("slack:T1:U7", None)
    assert ann.conversation.place is ben.conversation.place is Place.DM


def test_a_platform_that_is_not_known_has_the_defaults():
    assert KnownPlatforms(())["fake"].person_id("w", "7") == "fake-w-7"
    assert "fake" not in KNOWN_PLATFORMS
    assert KNOWN_PLATFORMS["fake"].formatting == ""


def test_only_a_platform_that_is_carried_by_the_console_needs_its_server():
    needing = [one.name for one in OWN_PLATFORMS if one.needs_server(one.settings())]
    assert needing == []
    assert "console.port" in SLACK.needs_server(SLACK.settings.model_validate({"mode": "http"}))


@EACH
def test_a_claim_is_one_command(platform: AnyPlatform):
    said = platform.traits.claim.format(code="CODE")
    assert re.fullmatch(r"(/\S.* CODE)?", said)
