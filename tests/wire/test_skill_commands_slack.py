"""Skills with Slack's one command and its forms, by the real client."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import pytest

from bot.app import App, AppOptions
from bot.chat.limits import Limiter
from bot.clock import SystemClock
from bot.domain.access import Person as Known
from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation
from bot.loopback.slack import TEAM, Channel, Person, SlackPlatform
from bot.loopback.slack.faults import Refused
from bot.loopback.slack.limits import view_error
from bot.plugin.chat import ChatServices
from bot.plugins.slack_chat.adapter import SlackChat
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.settings import SlackSettings
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.slack_house import TOKENS, HurriedClock, carried, known

PAYROLL = (
    "---\nname: payroll\ndescription: Pay people.\ncommand: payroll\nroles: Partner+\n---\n\n1. "
    "Pay.\n"
)


@pytest.fixture
def office(slack: SlackPlatform, ann: Person, bob: Person, tmp_path: Path) -> Channel:
    known(tmp_path, ann, bob, ann="Partner")
    return slack.channel("office", ann, bob)


@asynccontextmanager
async def bellhop(
    home: Path, slack: SlackPlatform, *answers: str, mode: str = "socket"
) -> AsyncGenerator[App]:
    settings = SlackSettings.model_validate(
        {"enabled": True, "api_base": slack.api_base, "mode": mode}
    )
    connection = SlackConnection(
        TOKENS, settings, SystemClock(), ping_s=0.2, limits=Limiter(HurriedClock())
    )
    chat = SlackChat(settings, TOKENS, ChatServices(HurriedClock()), connection=connection)
    model = ScriptedModel([say(one) for one in answers], strict=True)
    async with (
        carried(slack, chat.routes()) if mode == "http" else nullcontext(),
        running(AppOptions(home, [chat], model)) as app,
    ):
        if mode == "socket":
            await slack.delivery.wait_connected()
        else:
            await slack.until(lambda: chat.connected)
        yield app


async def form(slack: SlackPlatform, person: Person, asks: str, office: Channel) -> JsonObject:
    person.slash(asks, office)
    await slack.until(lambda: person.forms)
    return person.forms[-1]


async def told(slack: SlackPlatform, person: Person, office: Channel, count: int) -> str:
    """The n-th thing that this person alone was told, from 1."""

    def own() -> list[str]:
        seen = [message for message in person.sees(office) if message.only_for == person.id]
        return [
            str(block["text"])
            for message in seen
            for block in message.blocks
            if block["type"] == "markdown"
        ]

    await slack.until(lambda: len(own()) >= count)
    return own()[count - 1]


async def test_a_form_makes_a_skill_that_others_run_once_it_is_shared(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person, bob: Person
):
    async with bellhop(tmp_path, slack, "Here is the week."):
        shown = await form(slack, ann, "skill new Weekly report", office)
        assert view_error(shown) is None
        ann.submit(instructions="1. Read it.\n2. Tell it.", command="week")
        assert "`/bellhop week` runs it" in await told(slack, ann, office, 1)
        assert ann.forms == []
        bob.slash("week", office)
        assert "I don't know /week" in await told(slack, bob, office, 1)
        ann.slash("skill share weekly_report", office)
        assert "Now everybody here has it" in await told(slack, ann, office, 2)
        bob.slash("week only the numbers", office)
        assert await told(slack, bob, office, 2) == "Here is the week."


@pytest.mark.parametrize("mode", ["socket", "http"])
async def test_form_errors_appear_at_their_field_and_nothing_is_lost(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person, mode: str
):
    async with bellhop(tmp_path, slack, mode=mode) as app:
        await form(slack, ann, "skill new", office)
        ann.submit(name="Weekly", instructions="1. Stop.", auto_invoke="yes")
        await slack.settled()
        answer = slack.delivery.history[-1].answer
        assert [*answer["errors"]] == ["description"]
        assert "needs a description" in answer["errors"]["description"]
        assert await _skills(app) == []
        ann.submit(name="Weekly", instructions="1. Stop.", command="%%")
        await slack.settled()
        assert [*slack.delivery.history[-1].answer["errors"]] == ["command"]
        ann.submit(
            name="Weekly",
            instructions="1. Stop.",
            auto_invoke="yes",
            description="When a week ends.",
        )
        assert "by myself" in await told(slack, ann, office, 1)
        assert ann.forms == []


async def test_a_form_and_its_errors_are_in_the_language_of_the_app(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person
):
    slack.world.members[ann.id].locale = "de-DE"
    async with bellhop(tmp_path, slack) as app:
        ann.slash("skill show nothing", office)  # its profile is known from here on
        assert "gibt es für dich nicht" in await told(slack, ann, office, 1)
        shown = await form(slack, ann, "skill new", office)
        assert shown["title"]["text"] == "Ein neuer Skill"
        ann.submit(name="Woche", instructions="1. Lies.", auto_invoke="yes")
        await slack.settled()
        errors = slack.delivery.history[-1].answer["errors"]
        assert "auto_invoke braucht eine Beschreibung" in errors["description"]
        ann.submit(name="Woche", instructions="1. Lies.")
        assert "`/bellhop woche`" in await told(slack, ann, office, 2)
        assert await _skills(app) == ["woche"]


async def test_each_command_and_form_counts_once_however_often_it_comes(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person
):
    slack.faults.copies = 3
    async with bellhop(tmp_path, slack) as app:
        await form(slack, ann, "skill new", office)
        await slack.settled()
        assert len(slack.world.views) == 1
        ann.submit(name="Weekly", instructions="1. Stop.")
        await told(slack, ann, office, 1)
        await slack.settled()
        assert await _skills(app) == ["weekly"]
        assert [message.only_for for message in ann.sees(office)] == [ann.id]


async def test_without_a_form_it_asks_in_words(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person
):
    slack.fail("views.open", Refused("expired_trigger_id"))
    async with bellhop(tmp_path, slack):
        ann.slash("skill new weekly", office)
        assert "What should I do for /weekly?" in await told(slack, ann, office, 1)
        ann.slash("skill new monthly: 1. Count.", office)  # says it all
        assert "Saved" in await told(slack, ann, office, 2)
    assert slack.world.views == []


async def test_a_skill_with_roles_is_not_there_for_others(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person, bob: Person
):
    (tmp_path / "skills/payroll").mkdir(parents=True)
    (tmp_path / "skills/payroll/SKILL.md").write_text(PAYROLL)
    async with bellhop(tmp_path, slack, "Paid."):
        bob.slash("payroll", office)
        assert "I don't know /payroll" in await told(slack, bob, office, 1)
        bob.slash("", office)
        assert "payroll" not in await told(slack, bob, office, 2)
        ann.slash("payroll now", office)
        assert await told(slack, ann, office, 1) == "Paid."


async def test_a_question_behind_the_command_is_a_question(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person
):
    async with bellhop(tmp_path, slack, "Nothing is open."):
        ann.slash("what is open?", office)
        assert await told(slack, ann, office, 1) == "Nothing is open."
        ann.slash("helpp", office)
        assert "Did you mean /bellhop help?" in await told(slack, ann, office, 2)


async def test_hints_name_a_skill_as_slack_takes_it_where_the_reader_has_it(
    tmp_path: Path, slack: SlackPlatform, office: Channel, ann: Person, bob: Person
):
    """Somebody's own skill is an ordinary word to others: nothing shows that it exists."""
    async with bellhop(tmp_path, slack, "Try /weekly, or read /documents.", "Try /weekly."):
        ann.slash("skill new weekly: 1. Count.", office)
        assert "`/bellhop weekly` runs it" in await told(slack, ann, office, 1)
        ann.slash("weekli", office)
        assert "Did you mean /bellhop weekly?" in await told(slack, ann, office, 2)
        for number, command in enumerate(("help", "skill list"), start=3):
            ann.slash(command, office)
            assert "`/bellhop weekly`" in await told(slack, ann, office, number)
        ann.slash("what runs it?", office)
        assert await told(slack, ann, office, 5) == "Try /bellhop weekly, or read /documents."
        bob.slash("what runs it?", office)
        assert await told(slack, bob, office, 1) == "Try /weekly."


async def _skills(app: App) -> list[str]:
    ann = Known("ann", "Ann", Role.PARTNER)
    found = await app.house.written.custom_skills.visible(ann, Conversation("slack", TEAM, "C1"))
    return [skill.slug for skill in found]
