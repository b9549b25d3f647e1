"""Connections that end with nobody there, and processes that end while somebody connects."""

import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.cli.doctor import examine
from bot.domain.messages import Place
from bot.testing.app_lives import AppLives
from bot.testing.connecting_home import Browser, write_connecting_home
from bot.testing.crash_points import CrashPoint, Moment, ProcessGone
from bot.testing.fake_clock import FakeClock
from bot.testing.home_files import know
from bot.testing.oauth_provider import OAuthProvider, oauth_provider
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say, unlock
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.waiting import until

KEEPS = "delete home_values, insert credentials"
SCHEDULES = (
    unlock("schedule_task"),
    call("schedule_task", {"name": "mail", "prompt": "Read my mail.", "cron": "0 * * * *"}),
    say("Every hour."),
)
ASKS = (
    unlock("connect_service"),
    call("connect_service", {"service": "google"}),
    say("I sent you a link."),
)


@pytest.fixture
async def google() -> AsyncIterator[OAuthProvider]:
    async with oauth_provider("google", FakeClock(), api=GoogleAccounts()) as provider:
        yield provider


async def test_a_lapse_that_a_scheduled_run_finds_is_told_directly_and_once(
    home: Path, google: OAuthProvider
):
    write_connecting_home(home, google)
    reads = (
        unlock("read_emails"),
        call("read_emails", {}),
        say("I could not read it."),
    )
    model = ScriptedModel([*SCHEDULES, *reads, say("Again nothing.")])
    async with app_with_clock(home, model) as at:
        await at.command("ann", "connect", "google")
        (link,) = re.findall(r"http://127\S+/authorize\S+", at.chat.texts[-1])
        await at.command("ann", "connect", f"google {await Browser().say_yes(link)}")
        await at.ask("ann", "Read my mail every hour.")
        google.forget()
        await go(at, hours=2)
        told = [
            post.message
            for post in at.chat.posts
            if "no longer accepts your connection" in post.text
        ]
        assert "Again nothing." in at.chat.texts, "the second run began without the connection"
    (notice,) = told
    assert notice.target.conversation.place is Place.DM
    assert "Google no longer accepts" in notice.text
    assert "`/connect google`" in notice.text


async def test_a_crash_after_the_token_is_stored_resumes_the_message_once(
    home: Path, tmp_path: Path, google: OAuthProvider
):
    write_connecting_home(home, google)

    async def story(place: Path, point: CrashPoint | None) -> list[str]:
        shutil.copytree(home, place, ignore=shutil.ignore_patterns("data", "homes"))
        lives = AppLives(place)
        async with lives.life(ScriptedModel([*ASKS])) as life:
            await life.tell("ann", "What is in my mail?", key="k1")
        (link,) = {
            url
            for text in lives.chat.texts
            for url in re.findall(r"http://127\S+/authorize\S+", text)
        }
        given = parse_qs(urlsplit(await Browser().say_yes(link)).query)
        model = ScriptedModel([say("Three mails.")], strict=True)
        async with lives.life(model, point) as life:
            await life.app.house.accounts.connecting.finish(given["state"][0], given["code"][0])
            await life.settle()
        commits = lives.commits
        assert life.database.gone is (point is not None)
        async with lives.life(model) as life:
            await until(lambda: "Three mails." in lives.chat.texts)
            await life.settle()
            assert life.app.house.accounts.connections.connected("ann") == {"google"}, point
        assert lives.chat.texts.count("Three mails.") == 1, f"{point}: {lives.chat.texts}"
        return commits

    commits = await story(tmp_path / "homes" / "calm", None)
    (resumes,) = [
        name for name in commits if "delete connection_waits" in name and "insert" in name
    ]
    for number, name in enumerate((KEEPS, resumes)):
        await story(tmp_path / "homes" / str(number), CrashPoint(1, Moment.AFTER, name))


async def test_a_link_stays_good_where_the_process_dies_before_the_token_is_kept(
    home: Path, google: OAuthProvider
):
    write_connecting_home(home, google)
    lives = AppLives(home)
    async with lives.life(ScriptedModel([*ASKS])) as life:
        await life.tell("ann", "What is in my mail?", key="k1")
    (link,) = re.findall(r"http://127\S+/authorize\S+", "\n".join(lives.chat.texts))
    spent = parse_qs(urlsplit(await Browser().say_yes(link)).query)
    model = ScriptedModel([say("Three mails.")], strict=True)
    async with lives.life(model, CrashPoint(1, Moment.BEFORE, KEEPS)) as life:
        with pytest.raises(ProcessGone):
            await life.app.house.accounts.connecting.finish(spent["state"][0], spent["code"][0])
    async with lives.life(model) as life:
        pressed = await life.app.house.accounts.connecting.finish(
            spent["state"][0], spent["code"][0]
        )
        assert pressed.text.startswith("Google does not take that code. Open the link again")
        fresh = parse_qs(urlsplit(await Browser().say_yes(link)).query)
        assert (
            await life.app.house.accounts.connecting.finish(fresh["state"][0], fresh["code"][0])
        ).service
        await until(lambda: "Three mails." in lives.chat.texts)
        await life.settle()
    assert lives.chat.texts.count("Three mails.") == 1


async def test_each_master_admin_is_told_once_of_a_lapsed_workspace_account(
    home: Path, google: OAuthProvider
):
    write_connecting_home(home, google)
    with (home / ".env").open("a") as env:
        env.write("GOOGLE_WORKSPACE_TOKEN=a-token-that-was-good-once\n")
    know(home, meg="MasterAdmin", max="MasterAdmin", pat="Partner")
    reads = (
        unlock("read_emails"),
        call("read_emails", {}),
        say("I could not read it."),
    )
    looks = (unlock("read_emails"), say("There is no mail."))
    model = ScriptedModel([*reads, *looks])
    async with app_with_clock(home, model) as at:
        await at.ask("pat", "Read the team's mail.")
        await until(lambda: sum("workspace's account" in one for one in at.chat.texts) == 2)
        told = [one.message for one in at.chat.posts if "workspace's account" in one.text]
        places = sorted(one.target.conversation.id for one in told)
        assert (len(places), "meg" in places[1], "max" in places[0]) == (2, True, True)
        assert "GOOGLE_WORKSPACE_TOKEN" in told[0].text
        await at.ask("pat", "Once more.", place=Place.DM)
        assert sum("workspace's account" in one for one in at.chat.texts) == 2
        listed = await at.command("pat", "connect")
        assert "Google: no longer accepts the workspace's account" in listed
    (finding,) = [one for one in await examine(home, live=False) if one.check == "accounts"]
    assert (finding.state, "bellhop connect google --workspace" in finding.text) == (
        "warning",
        True,
    )
    lines = (home / ".env").read_text().replace("good-once", "good-now")
    (home / ".env").write_text(lines)
    assert not [one for one in await examine(home, live=False) if one.check == "accounts"]
