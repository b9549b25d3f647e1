"""Bellhop's own words in five languages: complete, in the form and language of their reader."""

import re
from dataclasses import replace

import pytest

from bot.connections.services import Service
from bot.domain.command_words import COMMANDS
from bot.domain.languages import Language, decimal, language_of_locale
from bot.domain.messages import Choice, Conversation, OutgoingFile, OutgoingMessage, ReplyTarget
from bot.domain.native_commands import SKILL_FORM, skill_form
from bot.domain.skills import SkillScope, SlashCommand
from bot.loopback.discord.limits import check_commands
from bot.plugins.discord_chat import words
from bot.plugins.discord_chat.application_commands import ABOUT_CHARS, for_all, hashes
from bot.plugins.discord_chat.interactions import modal
from bot.plugins.discord_chat.pieces import LARGEST_FILE, MOST_CHARS, posts_of
from bot.plugins.github.plugin import GITHUB
from bot.plugins.google.plugin import GOOGLE
from bot.plugins.notion.plugin import NOTION
from bot.plugins.outlook.plugin import OUTLOOK
from bot.plugins.slack.plugin import SLACK
from bot.plugins.slack_chat.blocks import CHOOSE, DID_NOT_HELP, HELPED, choice_blocks, rating_block
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


# What adapters say by themselves is in the language of whoever reads it.


THERE = ReplyTarget(Conversation("discord", "1", "2"))
FILES = tuple(OutgoingFile(f"{name}.txt", "text/plain", name) for name in ("gone", "large"))
LABEL_CHARS = 45
"""Of a form on Discord; Slack shows 24 of a title and 48 of a label."""


async def stored(blob: str) -> bytes | None:
    return b"x" * (LARGEST_FILE + 1) if blob == "large" else None


@pytest.mark.parametrize("language", Language)
async def test_discord_tells_of_the_rest_and_of_missing_files(language: Language):
    message = OutgoingMessage(THERE, "word " * 4_000, files=FILES, language=language)
    *_, last = await posts_of(message, stored, None)
    assert last.content.endswith(words.REST_IN_FILE.all[language].partition("{count}")[2])
    assert len(last.content) <= MOST_CHARS
    short = OutgoingMessage(THERE, "", files=FILES, language=language)
    [told] = await posts_of(short, stored, None)
    size, most = decimal(10.0, 1, language), LARGEST_FILE // 2**20
    assert told.content.split("\n\n") == [
        words.FILE_GONE.said(language, name="gone.txt"),
        words.FILE_TOO_LARGE.said(language, name="large.txt", size=size, most=most),
    ]
    [nothing] = await posts_of(OutgoingMessage(THERE, "", language=language), stored, None)
    assert nothing.content == words.NOTHING_TO_SAY.said(language)


@pytest.mark.parametrize("language", Language)
def test_slack_names_its_menu_and_its_thumbs(language: Language):
    many = [Choice(str(number), "q1", "answer", str(number)) for number in range(30)]
    [row] = choice_blocks(many, "", language)
    assert row["elements"][0]["placeholder"]["text"] == CHOOSE.said(language)
    [thumbs] = rating_block("t1", language)["elements"]
    assert [thumbs[f"{one}_button"]["accessibility_label"] for one in ("positive", "negative")] == [
        HELPED.said(language),
        DID_NOT_HELP.said(language),
    ]


def test_options_of_commands_are_explained_in_each_language():
    listed = for_all([SlashCommand(name, "x", "[X]", words=COMMANDS[name]) for name in COMMANDS])
    check_commands(listed)
    told = {
        one["name"]: option["description_localizations"]["de"]
        for one in listed
        for option in one.get("options", [])
        if "description_localizations" in option
    }
    assert told["ask"] == words.QUESTION.said(Language.DE) == "Was du wissen willst"
    assert told["skills"] == words.FAMILY.said(Language.DE)
    assert all(len(text) <= ABOUT_CHARS for text in told.values())


@pytest.mark.parametrize("language", Language)
def test_the_form_of_a_skill_asks_in_the_language_and_hands_in_the_same(language: Language):
    form = skill_form(language)
    assert [(one.name, one.most, one.choices) for one in form.fields] == [
        (one.name, one.most, one.choices) for one in SKILL_FORM.fields
    ]
    assert (form.name, form.command, form.args) == ("skill_new", "skill", "new")
    assert all(len(one.label) <= LABEL_CHARS for one in form.fields)
    assert len(form.title) <= 24
    shown = modal(form, {})["data"]["components"][-1]["component"]["options"]
    assert [one["value"] for one in shown] == ["no", "yes"]
    assert [one["label"] for one in shown] == list(form.fields[-1].labels)
