"""What people are told of work that ran, or did not, while nobody asked: in their language."""

from pathlib import Path

import pytest

from bot.agents.loop.spending import SPENT
from bot.domain.languages import Language, Phrase
from bot.domain.models import ModelReply
from bot.domain.retelling import INNER, Retelling
from bot.sessions.run.epochs import NOTHING_TO_SUMMARISE, WHY_NOT_SUMMARISED
from bot.testing.card_home import PLANS
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.passing_time import app_with_clock, go
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.turns.schedules.reason_words import NOT_ALLOWED, REASONS

OTHERS = [one for one in Language if one is not Language.EN]
WISHES = {
    Language.DE: "sag mir bitte jede Stunde, was noch offen ist",
    Language.FR: "dites-moi chaque heure ce qui est ouvert, s'il vous plaît",
    Language.ES: "dime cada hora qué está abierto, por favor",
    Language.IT: "dimmi ogni ora che cosa è aperto, per favore",
}
HOURLY = {"name": "Zebra", "prompt": "Say what is open.", "cron": "0 * * * *"}
TODO = {"action": "create", "title": "Zebra", "wakeAt": "in 2 hours"}


def unlock(tool: str) -> ModelReply:
    return call("get_capabilities", {"names": [tool]})


async def demote(home: Path, at: Harness) -> None:
    """Ann loses the role that lets things run for her."""
    contacts = home / "contacts.yaml"
    contacts.write_text(contacts.read_text().replace("Ann, role: Friend", "Ann, role: Guest"))
    await at.app.contacts.reload_if_changed()


@pytest.mark.parametrize("language", OTHERS)
async def test_a_paused_schedule_is_told_and_shown_in_the_language_of_the_request(
    home: Path, language: Language
):
    model = ScriptedModel([unlock("schedule_task"), call("schedule_task", HOURLY), say("42.")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", WISHES[language])
        await demote(home, at)
        await go(at, hours=1)
        why = NOT_ALLOWED.said(language, who="ann", role="Guest")
        told = at.chat.posts[-1].text
        ref = told.partition("(")[2].partition(")")[0]
        assert told == Phrase(
            "I paused the schedule “{name}” ({ref}): {why}. `/schedule resume {ref}` resumes it, "
            "`/schedule cancel {ref}` removes it."
        ).said(language, name="Zebra", ref=ref, why=why)
        at.chat.locale = language
        assert why in await at.command("ann", "schedule", f"show {ref}")


@pytest.mark.parametrize("language", OTHERS)
async def test_a_todo_that_was_not_worked_on_is_told_in_the_language_of_the_request(
    home: Path, language: Language
):
    model = ScriptedModel([call("manage_todos", TODO), say("42.")])
    async with app_with_clock(home, model) as at:
        await at.ask("ann", WISHES[language])
        await demote(home, at)
        await go(at, hours=2)
        todo = Phrase("The todo “{title}”").said(language, title="Zebra")
        why = NOT_ALLOWED.said(language, who="ann", role="Guest")
        assert at.chat.posts[-1].text == Phrase(
            "{todo} was to be worked on now, but I didn't: {why}."
        ).said(language, todo=todo, why=why)


@pytest.mark.parametrize("language", OTHERS)
async def test_a_used_up_budget_is_told_in_the_language_of_the_request(
    home: Path, language: Language
):
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write("budgets: {per_person_day_model_calls: 1}\n")
    model = ScriptedModel([say("42."), say("42.")])
    async with running_app(home, model, FakeChat()) as at:
        await at.ask("ann", WISHES[language])
        before = len(at.chat.posts)
        await at.chat.say("ann", WISHES[language])
        posts = await at.chat.until(before + 1)
        await at.until_idle()
        english = "I stopped: today's budget of 1 model call for you is used up."
        told = SPENT.told(
            f"{english} I have asked those who run me whether I may use more; when they say yes I"
            " go on. Tomorrow there is a new one.",
            language,
        )
        assert "budget of" not in told
        assert any(post.text.startswith(told) for post in posts[before:])


@pytest.mark.parametrize("language", OTHERS)
async def test_compact_answers_in_the_language_of_the_app(home: Path, language: Language):
    async with running_app(home, PlanModel(PLANS), FakeChat()) as at:
        at.chat.locale = language
        said = await at.command("ann", "compact")
        assert said == NOTHING_TO_SUMMARISE.said(language)


KEPT = {"reasons": REASONS, "spent": SPENT, "summaries": WHY_NOT_SUMMARISED}


@pytest.mark.parametrize(
    ("kept", "phrase"), [(kept, phrase) for kept, one in KEPT.items() for phrase in one.phrases]
)
def test_each_reason_that_is_kept_in_english_is_told_in_each_language(kept: str, phrase: Phrase):
    retelling: Retelling = KEPT[kept]
    names = ("who", "role", "platform", "words", "count", "kind", "reason", "all", "name", "ref")
    parts = {**dict.fromkeys(names, "7"), INNER: "§"}
    for language in OTHERS:
        english = phrase.said(Language.EN, **parts)
        assert retelling.told(english, language) == phrase.said(language, **parts)
