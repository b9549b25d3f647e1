"""Bellhop's own words in five languages: complete, and in the form that platforms take."""

import re
from dataclasses import replace

import pytest

from bot.connections.services import Service
from bot.domain.command_words import COMMANDS
from bot.domain.languages import Language, language_of_locale
from bot.domain.skills import SkillScope, SlashCommand
from bot.loopback.discord.limits import check_commands
from bot.plugins.discord_chat.application_commands import for_all, hashes
from bot.plugins.github.plugin import GITHUB
from bot.plugins.google.plugin import GOOGLE
from bot.plugins.notion.plugin import NOTION
from bot.plugins.outlook.plugin import OUTLOOK
from bot.plugins.slack.plugin import SLACK
from bot.sessions.wording.phrases import KEPT
from bot.storage.forgetting.holdings import HOLDINGS


@pytest.mark.parametrize("language", Language)
def test_commands_have_a_name_of_their_own_in_each_language(language: Language):
    names = [words.name.all[language] for words in COMMANDS.values()]
    assert len(names) == len({*names})
    assert all(re.fullmatch(r"[-_'\w]{1,32}", name) and name == name.lower() for name in names)
    assert all(1 <= len(words.about.all[language]) <= 100 for words in COMMANDS.values())


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("de", Language.DE),
        ("es-419", Language.ES),
        ("fr_CA", Language.FR),
        ("en-GB", Language.EN),
        ("ja", None),
        ("", None),
    ],
)
def test_a_setting_of_an_app_names_its_language(locale: str, language: Language | None):
    assert language_of_locale(locale) is language


def test_discord_takes_the_words_and_a_changed_word_is_a_changed_command():
    skill = SlashCommand(
        "aufgaben", "A skill that is called like /todo in German", "", SkillScope.LIBRARY
    )
    listed = for_all([*(SlashCommand(name, "x", words=COMMANDS[name]) for name in COMMANDS), skill])
    check_commands(listed)
    todo = next(one for one in listed if one["name"] == "todo")
    assert todo["name_localizations"] == {
        "fr": "tâches",
        "es-ES": "tareas",
        "es-419": "tareas",
        "it": "attività",
    }
    assert todo["description_localizations"]["de"].startswith("deine offenen Aufgaben")
    assert hashes([todo]) != hashes([{**todo, "description_localizations": {}}])


def test_all_that_the_database_keeps_of_people_has_words():
    assert {one.kind for one in HOLDINGS} <= {*KEPT}


@pytest.mark.parametrize(
    "service", [GITHUB, GOOGLE, NOTION, OUTLOOK, SLACK], ids=lambda one: one.id
)
def test_what_an_account_gives_is_said_in_each_language(service: Service):
    told = {service.gives(language) for language in Language}
    assert service.gives() in told
    assert len(told) > 2
    assert replace(service, what="Zebras").gives(Language.DE) == "Zebras"
