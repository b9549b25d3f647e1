"""Bellhop's own words in five languages: complete, and in the form that platforms take."""

import re
from collections.abc import Sequence
from dataclasses import replace
from string import Formatter

import pytest

from bot.agents.control_tools import call_words as agents_words
from bot.agents.loop import spending
from bot.automations import automation_words
from bot.automations import call_words as automations_words
from bot.connections import connect_words
from bot.connections.services import Service
from bot.connectors.calendar import call_words as calendar_words
from bot.connectors.todos import call_words as todos_words
from bot.domain import budget_words, form_words
from bot.domain.command_words import COMMANDS
from bot.domain.languages import CountedPhrase, Language, Phrase, language_of_locale
from bot.domain.skills import SkillScope, SlashCommand
from bot.files import call_words as files_words
from bot.loopback.discord.limits import check_commands
from bot.plugins.discord_chat import words as discord_words
from bot.plugins.discord_chat.application_commands import for_all, hashes
from bot.plugins.github import call_words as github_words
from bot.plugins.github.plugin import GITHUB
from bot.plugins.google.plugin import GOOGLE
from bot.plugins.notion.plugin import NOTION
from bot.plugins.outlook.plugin import OUTLOOK
from bot.plugins.slack import call_words as slack_words
from bot.plugins.slack.plugin import SLACK
from bot.plugins.slack_chat import blocks as slack_blocks
from bot.plugins.slack_chat.surfaces import steps as slack_steps
from bot.plugins.telegram_chat import adapter as telegram_adapter
from bot.plugins.telegram_chat import delivery as telegram_delivery
from bot.sessions.place_tools import call_words as places_words
from bot.sessions.wording import (
    access_phrases,
    activities,
    apology_phrases,
    approval_phrases,
    booking_phrases,
    card_phrases,
    card_reasons,
    changes,
    claim_phrases,
    failure_phrases,
    forgetting_phrases,
    import_phrases,
    memory_phrases,
    notice_phrases,
    page_phrases,
    phrases,
    reminder_phrases,
    rule_phrases,
    share_phrases,
    skill_phrases,
    status_phrases,
    takeover_phrases,
    thing_counts,
    todo_phrases,
    unattended_phrases,
    waiting_phrases,
    why_phrases,
    why_step_phrases,
)
from bot.sessions.wording.kept_words import KEPT
from bot.skills import skill_words
from bot.storage.forgetting.holdings import HOLDINGS
from bot.turns.schedules import reason_words, schedule_words
from bot.workshop.importing import audit_words, desk_words, finding_words, format_words

CALL_WORDS = (
    agents_words,
    automations_words,
    calendar_words,
    files_words,
    github_words,
    places_words,
    slack_words,
    todos_words,
)
"""What calls of tools do, as cards say it."""
MODULES = (
    *CALL_WORDS,
    access_phrases,
    apology_phrases,
    approval_phrases,
    booking_phrases,
    card_phrases,
    memory_phrases,
    automation_words,
    budget_words,
    changes,
    claim_phrases,
    connect_words,
    form_words,
    discord_words,
    slack_blocks,
    slack_steps,
    telegram_adapter,
    telegram_delivery,
    failure_phrases,
    forgetting_phrases,
    import_phrases,
    memory_phrases,
    page_phrases,
    phrases,
    reminder_phrases,
    rule_phrases,
    share_phrases,
    skill_phrases,
    skill_words,
    notice_phrases,
    reason_words,
    schedule_words,
    spending,
    desk_words,
    status_phrases,
    takeover_phrases,
    thing_counts,
    todo_phrases,
    unattended_phrases,
    waiting_phrases,
    why_phrases,
    why_step_phrases,
)
WRITTEN = [
    *(one for module in MODULES for one in vars(module).values()),
    *thing_counts.THINGS.values(),
]
SENTENCES = [
    *(one for one in WRITTEN if isinstance(one, Phrase)),
    *approval_phrases.ENDED.values(),
    *card_phrases.PLACES.values(),
    *forgetting_phrases.ONE.values(),
    *KEPT.values(),
    *budget_words.WHOSE.values(),
    *notice_phrases.BOOKED.values(),
    *notice_phrases.WHY_NOT_SUMMARISED.phrases,
    *audit_words.SEEN,
    *desk_words.SEVERITY.values(),
    *desk_words.STATUS.values(),
    *format_words.READ,
    *finding_words.REFUSED,
    *card_reasons.ABOUT_THIS_CALL.phrases,
    *skill_phrases.FAMILIES.values(),
    *skill_phrases.VERBS.values(),
    *rule_phrases.ABSENT.values(),
    *rule_phrases.GIVEN.values(),
    *rule_phrases.MEASURES.values(),
    *rule_phrases.SPANS.values(),
    *share_phrases.HERE.values(),
    *share_phrases.THERE.values(),
    *why_phrases.ADDRESSED.values(),
    *why_step_phrases.DECIDED.values(),
    *why_phrases.ENDINGS.values(),
    *why_step_phrases.SENDS.values(),
    *why_phrases.SILENT.values(),
    *why_step_phrases.STATES.values(),
    *agents_words.CHANGES.values(),
    *automations_words.HAPPENS.values(),
    *automations_words.WHO.values(),
    *places_words.POSTS.values(),
    *todos_words.CHANGES.values(),
    *failure_phrases.MODEL.values(),
    *failure_phrases.TROUBLE.values(),
    *failure_phrases.UNSEEN.values(),
    *memory_phrases.KINDS.values(),
    *(one.many for one in WRITTEN if isinstance(one, CountedPhrase)),
    *activities.PHRASES.values(),
    *activities.PAUSES.values(),
]


def parts_of(phrase: Phrase) -> Sequence[set[str]]:
    return [
        {name for _, name, _, _ in Formatter().parse(text) if name is not None}
        for text in phrase.all.values()
    ]


@pytest.mark.parametrize("phrase", SENTENCES, ids=lambda phrase: phrase.en[:20])
def test_every_language_says_the_same_parts(phrase: Phrase):
    parts = parts_of(phrase)
    assert all(one == parts[0] for one in parts)
    assert all(text.strip() for text in phrase.all.values())


@pytest.mark.parametrize(
    "counted",
    [one for one in WRITTEN if isinstance(one, CountedPhrase)],
    ids=lambda counted: counted.one.en[:20],
)
def test_one_thing_may_be_told_without_a_number(counted: CountedPhrase):
    parts = [one - {"count"} for one in (*parts_of(counted.one), *parts_of(counted.many))]
    assert all(one == parts[0] for one in parts)


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
    listed = for_all([*(SlashCommand(name, "x") for name in COMMANDS), skill])
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
