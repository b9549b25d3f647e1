"""For whom an answer is: its asker alone, two who asked the same, who wants it short."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.clock import SystemClock
from bot.domain.models import ModelReply, ModelRequest
from bot.loopback.slack import BOT_USER, Channel, Person, SlackPlatform
from bot.testing.both_platforms import (
    PLATFORMS,
    DiscordTown,
    PlatformTown,
    reads,
    write_contacts,
)
from bot.testing.connecting_home import write_connecting_home
from bot.testing.discord_house import house
from bot.testing.oauth_provider import oauth_provider
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.slack_house import app_on_slack, says

REASONS = "\n\n".join(f"Reason {number}: {'because ' * 30}" for number in range(8))
LONG = f"Take the blue one.\n\n{REASONS}".strip()


async def test_on_discord_who_wants_short_answers_gets_the_rest_as_a_file(tmp_path: Path):
    model = ScriptedModel([say(LONG), say(LONG)])
    async with house(tmp_path, model) as made:
        made.ann.slash(made.general, "answers", text="short")
        await made.reads(made.ann, made.general, "You get the beginning of long answers")
        thread = await made.thread(made.ann.say(made.general, "which one?", mention=True))
        answer = await made.reads(made.ann, thread, "Take the blue one.")
        assert len(answer.content) < 1_000
        assert "Reason 7" not in answer.content
        assert "is in the file" in answer.content
        assert [(file.name, file.data.decode()) for file in answer.files] == [("answer.md", LONG)]
        assert "gist first" in str(model.requests[0].messages)

        made.ben.say(thread, "and what do you say to me?", mention=True)
        await made.platform.until(
            lambda: any("Reason 7" in one.content for one in made.ben.sees(thread))
        )
        assert "Reason 7" in str(model.requests[1].messages), "others' sessions know all of it"


async def test_on_slack_who_wants_short_answers_gets_the_rest_as_a_file(
    slack: SlackPlatform, ann: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([say(LONG)])
    async with app_on_slack(tmp_path, slack, model):
        ann.slash("answers short", office)
        await says(slack, "You get the beginning")
        ann.mention("which one?", office)
        shown = await slack.until(
            lambda: [one for one in slack.said if "is in the file" in one.text][:1]
        )
        assert shown[0].text.startswith("Take the blue one.")
        assert "Reason 7" not in shown[0].text
        files = await slack.until(lambda: [one for said in slack.said for one in said.files])
        assert [(one.name, one.data.decode()) for one in files] == [("answer.md", LONG)]


async def test_on_discord_the_rest_stands_in_the_thread_once(tmp_path: Path):
    model = ScriptedModel([say(LONG), say(LONG)])
    async with house(tmp_path, model) as made:
        made.ann.slash(made.general, "answers", text="thread")
        await made.reads(made.ann, made.general, "Where an answer opens a thread")
        asked = made.ann.say(made.general, "which one?", mention=True)
        first = await made.reads(made.ben, made.general, "Take the blue one.")
        assert "The rest is in the thread." in first.content
        assert "Reason 7" not in first.content
        thread = await made.thread(asked)
        rest = await made.reads(made.ben, thread, "Reason 7")
        assert "Take the blue one." not in rest.content
        made.ann.say(thread, "once more")
        await made.reads(made.ann, thread, "Take the blue one.")
        assert "Take the blue one." in str(model.requests[1].messages)
        said = [one.content for one in made.ben.sees(made.general)]
        assert sum("Take the blue one." in one for one in said) == 1


async def test_on_slack_the_rest_stands_in_the_thread(
    slack: SlackPlatform, ann: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([say(LONG)])
    async with app_on_slack(tmp_path, slack, model):
        ann.slash("answers thread", office)
        await says(slack, "opens a thread")
        asked = ann.mention("which one?", office)
        await slack.until(lambda: any("The rest is in" in one.text for one in slack.said))
        # The draft in the thread is all of the answer, until it becomes the rest.
        (rest,) = await slack.until(
            lambda: [one for one in slack.said if one.text.startswith("Reason")]
        )
        assert rest.thread_ts == asked.ts
        assert "Reason 7" in rest.text
        (first,) = [one for one in slack.said if "Take the blue one." in one.text]
        assert first.thread_ts is None
        assert first.text.startswith("Take the blue one.")


# Where others read, what was read in somebody's own mail is answered to them alone.


ACCOUNT = "ann@example.com"
LOOKS = (
    call("read_emails", {}),
    call("send", {"text": "The zeppelin comes first."}),
    call("ask_user_for_clarification", {"question": "Is the zeppelin yours?"}),
    say("The lease of the zeppelin ends in May."),
)
ALONE = "I answer Ann privately."


@asynccontextmanager
async def living(
    home: Path, platform: str, replies: Sequence[ModelReply]
) -> AsyncGenerator[tuple[PlatformTown, ScriptedModel]]:
    mails, model = GoogleAccounts(), ScriptedModel([*replies], strict=True)
    mails.deliver(ACCOUNT, "zoe@example.com", "The lease of the zeppelin")
    async with (
        oauth_provider("google", SystemClock(), api=mails) as google,
        PLATFORMS[platform]() as town,
    ):
        write_connecting_home(home, google)
        write_contacts(home, town)
        async with running(AppOptions(home, [town.connect()], model)) as app:
            credentials = app.house.accounts.credentials
            await credentials.store("ann", "google", google.token_of(ACCOUNT))
            await town.ready()
            yield town, model


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_mail_is_answered_to_its_person_and_the_place_reads_one_line(
    platform: str, tmp_path: Path
):
    shared = say("Ann said that I may tell: the lease ends in May.")
    async with living(tmp_path, platform, [*LOOKS, shared]) as (town, model):
        town.say("Ann", "What does Zoe write?")
        line = await reads(town, "Ann", ALONE)
        answer = await reads(town, "Ann", "The lease of the zeppelin ends in May.")
        early = await reads(town, "Ann", "The zeppelin comes first.")
        assert not line.direct
        assert not line.only_them
        assert all(one.direct or one.only_them for one in (answer, early))
        told = str([one.messages for one in model.requests])
        assert "they alone get it" in told
        assert "others would read the question" in told
        town.say("Ann", "You may tell them.")
        await reads(town, "Ben", "Ann said that I may tell")
        assert not any("zeppelin" in one.text for one in town.sees("Ben"))


STARTS = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
ALOUD = {
    "polls": {"action": "make", "question": "The zeppelin?", "answers": ["keep", "sell"]},
    "server_events": {
        "action": "make",
        "name": "The zeppelin",
        "where": "Town hall",
        "starts": STARTS.isoformat(),
        "ends": (STARTS + timedelta(hours=2)).isoformat(),
    },
}


@pytest.mark.parametrize("tool", ALOUD)
async def test_what_everybody_reads_waits_for_a_yes_once_somebodys_mail_was_read(
    tool: str, tmp_path: Path
):
    steps = [call("read_emails", {}), call(tool, ALOUD[tool]), say("It waits."), say("Done.")]
    rule = {"name": "aloud", "roles": "Guest+", "tools": [tool], "decision": "allow"}
    rule |= {"arguments": {"action": "make"}}
    (tmp_path / "policy.yaml").write_text(json.dumps({"rules": [rule]}))
    async with living(tmp_path, "discord", steps) as (town, _):
        assert isinstance(town, DiscordTown)
        town.people["Ann"].user.roles.append(town.discord.role(town.guild, "organisers").id)
        town.say("Ann", "Put what Zoe writes to everybody.")
        card = await reads(town, "Ann", "which may show others what is its asker's alone")
        assert card.direct or card.only_them
        assert not town.guild.events
        assert not any("zeppelin" in one.text for one in town.sees("Ben"))
        card.click("Approve")
        await reads(town, "Ann", "Done.")
        polls = [one for one in town.general.messages.values() if one.poll]
        assert len(town.guild.events) + len(polls) == 1


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_the_model_may_answer_the_asker_alone(platform: str, tmp_path: Path):
    ends = call("finish_task", {"answer": "Your review was hard to read.", "alone": True})
    async with living(tmp_path, platform, [ends]) as (town, _):
        town.say("Ann", "Tell me, and me alone, how my review reads.")
        await reads(town, "Ann", ALONE)
        answer = await reads(town, "Ann", "Your review was hard to read.")
        assert answer.direct or answer.only_them
        assert not any("hard to read" in one.text for one in town.sees("Ben"))


# Two people ask the same at once in one thread: it is answered once, and the second is told so.


ANSWER, POINTER = "It is on Friday.", "See just above: on Friday."


def knew_the_answer(request: ModelRequest) -> bool:
    said = str(request.messages)
    return ANSWER in said and "While this message waited you answered somebody else" in said


async def test_on_discord_the_second_waits_and_sees_the_answer_to_the_first(tmp_path: Path):
    model = ScriptedModel([say("Hello."), say(ANSWER), say("No idea."), say(POINTER)], strict=True)
    held = model.hold(2)
    async with house(tmp_path, model) as made:
        thread = await made.thread(made.ann.say(made.general, "hello", mention=True))
        await made.reads(made.ann, thread, "Hello.")
        made.ann.say(thread, "when is the launch?", mention=True)
        await model.asked(2)
        made.ben.say(thread, "when is the launch?", mention=True)
        carla = made.platform.person("Carla")
        carla.say(thread, "who painted the office?", mention=True)
        await made.reads(made.ann, thread, "No idea.")
        assert len(model.requests) == 3, "another question does not wait"
        held.set()
        await made.reads(made.ben, thread, POINTER)
        assert knew_the_answer(model.requests[3])
        assert not knew_the_answer(model.requests[2])


async def test_on_slack_the_second_waits_and_sees_the_answer_to_the_first(
    slack: SlackPlatform, ann: Person, bob: Person, office: Channel, tmp_path: Path
):
    model = ScriptedModel([say("Hello."), say(ANSWER), say(POINTER)], strict=True)
    held = model.hold(2)
    async with app_on_slack(tmp_path, slack, model):
        root = ann.mention("hello", office)
        await says(slack, "Hello.")
        ann.reply(root, f"<@{BOT_USER}> when is the launch?")
        await model.asked(2)
        bob.reply(root, f"<@{BOT_USER}> When is the launch")
        await slack.settled()
        assert len(model.requests) == 2
        held.set()
        await says(slack, POINTER)
        assert knew_the_answer(model.requests[2])
