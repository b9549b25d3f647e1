"""Where others read, what was read in somebody's own mail is answered to them alone."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import AppOptions
from bot.clock import SystemClock
from bot.domain.models import ModelReply
from bot.testing.both_platforms import PLATFORMS, PlatformTown, reads, write_contacts
from bot.testing.connecting_home import write_connecting_home
from bot.testing.oauth_provider import oauth_provider
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.services.google_accounts import GoogleAccounts

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


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_the_model_may_answer_the_asker_alone(platform: str, tmp_path: Path):
    ends = call("finish_task", {"answer": "Your review was hard to read.", "alone": True})
    async with living(tmp_path, platform, [ends]) as (town, _):
        town.say("Ann", "Tell me, and me alone, how my review reads.")
        await reads(town, "Ann", ALONE)
        answer = await reads(town, "Ann", "Your review was hard to read.")
        assert answer.direct or answer.only_them
        assert not any("hard to read" in one.text for one in town.sees("Ben"))
