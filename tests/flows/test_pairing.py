"""Who gets in: strangers after a yes, owners by a code."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.assembly.home_settings import load_settings
from bot.cli.changes import new_claim_words
from bot.domain.messages import Attachment, Choice, MessageKind, Place
from bot.sessions.commands.people import MOST_TRIES, Claims, add_try, how_to_claim, wrong_tries
from bot.sessions.people.contacts_file import GENERATED
from bot.sessions.people.pairing import LIFE, PAIR
from bot.storage.values import HomeValue, home_values
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat, Posted
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say
from tests.thoroughness import tried

PLAN = (Attachment("plan", "plan.txt", "text/plain", 4),)
PEOPLE = "- {id: olga, name: Olga, role: MasterAdmin, ids: {discord: [olga]}}\n"


def furnish(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "contacts.yaml").write_text(PEOPLE)
    (folder / "bellhop.yaml").write_text("access: {unknown_people: pair}\n")


@pytest.fixture
def paired(tmp_path: Path) -> Path:
    furnish(tmp_path)
    return tmp_path


def cards(chat: FakeChat) -> list[Posted]:
    return [post for post in chat.posts if "asks for access" in post.text]


def button(card: Posted, label: str) -> Choice:
    return next(choice for choice in card.message.choices if choice.label == label)


async def decide(house: Harness, label: str, number: int = 0) -> None:
    choice = button(cards(house.chat)[number], label)
    await house.command("olga", "pair", f"{choice.ref} {choice.verb.removeprefix('pair_')}")


async def test_each_of_them_reads_the_language_in_which_they_write(paired: Path):
    async with running_app(paired, ScriptedModel([say("Ciao.")])) as house:
        await house.ask("olga", "che cosa c'è di nuovo oggi?")
        await house.ask("kit", "wann ist das Treffen und wo?")
    told = [post.text for post in house.chat.posts]
    assert any(text.startswith("**kit (discord) chiede l'accesso.**") for text in told)
    assert any(text.startswith("Wir kennen uns noch nicht") for text in told)


async def test_a_message_waits_and_is_answered_once_after_the_yes(paired: Path):
    model = ScriptedModel([say("Hello Kit.")])
    async with running_app(paired, model) as house:
        house.chat.files["plan"] = b"plan"
        await house.ask("kit", "what time is it?", attachments=PLAN)
        await house.tell("kit", "and where?")
        [card] = cards(house.chat)
        assert [choice.label for choice in card.message.choices] == [
            "Friend",
            "Partner",
            "Guest",
            "Ban",
        ]
        assert "what time is it?" in card.text
        assert {post.text for post in house.chat.posts} - {card.text} == {
            (
                "We haven't met, so I have asked Olga who you are. I answer your message after "
                "their yes."
            )
        }
        assert model.requests == []
        await decide(house, "Friend")
        assert [post.text for post in house.chat.posts].count("Hello Kit.") == 1
        assert "what time is it?\\nand where?" in str(model.requests[0].messages)
        kit = house.app.contacts.people[-1]
        assert GENERATED.fullmatch(kit.id)
        assert (str(kit.role), dict(kit.ids)) == ("Friend", {"discord": ("kit",)})
        await decide(house, "Ban")
        assert "already done" in house.chat.posts[-1].text
        assert [post.text for post in house.chat.posts].count("Hello Kit.") == 1


async def test_banned_people_hear_nothing_more(paired: Path):
    async with running_app(paired, ScriptedModel([])) as house:
        await house.ask("kit", "hi")
        await decide(house, "Ban")
        before = len(house.chat.posts)
        await house.tell("kit", "hello?")
        assert len(house.chat.posts) == before
        assert "role: Banned" in (paired / "contacts.yaml").read_text()


async def test_a_bare_yes_does_not_say_as_what_and_others_may_not_decide(paired: Path):
    async with running_app(paired, ScriptedModel([])) as house:
        await house.ask("kit", "hi")
        ref = cards(house.chat)[0].message.choices[0].ref
        assert "Say as what" in await house.command("olga", "approve", ref)
        await house.order("kit", "pair", f"{ref} partner")
        assert len(house.app.contacts.people) == 1


async def test_three_people_wait_at_most_and_an_expired_request_is_told(paired: Path):
    clock = FakeClock()
    async with running_app(paired, ScriptedModel([]), clock=clock) as house:
        for name in ("kit", "lea", "mo"):
            await house.tell(name, "hi")
        assert "asking about other people already" in await house.ask("nan", "hi")
        assert len(cards(house.chat)) == 3
        await clock.advance((LIFE + timedelta(minutes=10)).total_seconds())
        while sum("Nobody has told me" in post.text for post in house.chat.posts) < 3:
            await clock.advance(60)
        assert await house.app.approvals.count_open(PAIR) == 0


async def test_ignored_people_start_nothing_but_a_claim(paired: Path):
    (paired / "bellhop.yaml").write_text("access: {unknown_people: ignore}\n")
    async with running_app(paired, ScriptedModel([])) as house:
        await house.tell("kit", "hi")
        assert house.chat.posts == []
        assert "have an owner" in await house.command("kit", "claim", "AAAA")


async def test_a_message_that_was_deleted_meanwhile_is_not_answered(paired: Path):
    model = ScriptedModel([say("Read.")])
    async with running_app(paired, model) as house:
        house.chat.files["plan"] = b"plan"
        await house.tell("kit", "hi", key="m1", attachments=PLAN)
        gone = house.chat.message("kit", "", key="delete:m1:2")
        await house.posts_after(house.chat.deliver(replace(gone, kind=MessageKind.DELETE)))
        await decide(house, "Guest")
        said = house.chat.posts[-1].text
        assert said.startswith("kit is `p-")
        assert "in contacts.yaml now: Guest." in said
        await house.ask("olga", "hello")
        assert len(model.requests) == 1


async def _asks(life: AppLife) -> None:
    await life.chat.say("kit", "hi", key="m1")


async def _friend(life: AppLife) -> None:
    choice = button(cards(life.chat)[0], "Friend")
    await life.chat.click("olga", choice.ref, choice.verb, key="c1")


@pytest.mark.thorough
async def test_a_stranger_is_answered_once_wherever_the_process_ends(tmp_path: Path):
    async def play(folder: Path, point: CrashPoint | None) -> AppLives:
        furnish(folder)
        lives = AppLives(folder)
        went = await lives.play(ScriptedModel([say("Hello Kit.")] * 2), [_asks, _friend], point)
        assert went is (point is not None)
        texts = [post.text for post in lives.chat.posts]
        assert texts.count("Hello Kit.") == 1, point
        assert len(cards(lives.chat)) == 1, point
        assert (folder / "contacts.yaml").read_text().count("Friend") == 1, point
        return lives

    commits = (await play(tmp_path / "whole", None)).commits
    for number, point in enumerate(tried(list(crash_points(commits))[::5])):
        await play(tmp_path / str(number), point)


NOBODY = "# Who is who.\n"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(NOBODY)
    return tmp_path


async def code_of(house: Harness, operator: str = "") -> str:
    app = house.app
    return await Claims(app.database, app.clock, app.contacts).new_code(operator)


async def test_the_code_makes_its_sender_the_owner_once(empty: Path):
    async with running_app(empty, ScriptedModel([say("Hello.")])) as house:
        code = await code_of(house, "kit")
        answer = await house.command("ann", "claim", code.lower().replace("-", " "))
        assert answer.startswith("You are my owner here now")
        owner = house.app.contacts.people[0]
        assert (str(owner.role), dict(owner.ids)) == (
            "MasterAdmin",
            {"terminal": ("kit",), "discord": ("ann",)},
        )
        assert (empty / "contacts.yaml").read_text().startswith(NOBODY)
        assert "role MasterAdmin" in await house.command("ann", "status")
        assert "have an owner here already" in await house.command("ben", "claim", code)
        assert "have an owner here already" in await house.command(
            "ben", "claim", await code_of(house)
        )


async def test_a_code_that_others_could_read_is_void(empty: Path):
    async with running_app(empty, ScriptedModel([])) as house:
        code = await code_of(house)
        before = len(house.chat.posts)
        await house.chat.command("ann", "claim", code, place=Place.CHANNEL)
        posts = await house.chat.until(before + 1)
        assert "it is void" in posts[before].text
        assert "not valid" in await house.command("ann", "claim", code)


async def test_wrong_codes_are_limited_and_old_ones_are_void(empty: Path):
    clock = FakeClock()
    async with running_app(empty, ScriptedModel([]), clock=clock) as house:
        code = await code_of(house)
        for _ in range(5):
            assert "not valid" in await house.command("ben", "claim", "AAAA-BBBB")
        assert "too many" in await house.command("ben", "claim", code)
        await clock.advance(timedelta(hours=25).total_seconds())
        assert "older than 24 hours" in await house.command("ben", "claim", code)


@pytest.mark.parametrize("platform", ["discord", "slack"])
async def test_wrong_codes_of_others_never_delay_the_owner(platform: str, empty: Path):
    async with running_app(empty, ScriptedModel([]), FakeChat(platform)) as house:
        code = await code_of(house)
        for stranger in ("ben", "cy", "dee", "eve", "fay"):
            for _ in range(5):
                assert "not valid" in await house.command(stranger, "claim", "AAAA-BBBB")
            assert "too many" in await house.command(stranger, "claim", "AAAA-BBBB")
        assert "my owner here now" in await house.command("ann", "claim", code)


async def test_a_flood_of_accounts_fills_no_table(empty: Path):
    clock = FakeClock()
    async with running_app(empty, ScriptedModel([]), clock=clock) as house:
        database, now = house.app.database, clock.now()
        for number in range(MOST_TRIES + 50):
            at = now + timedelta(microseconds=number)
            await database.write(add_try(f"discord:g:{number}", at, now - timedelta(hours=1)))
        assert len(await home_values(database, HomeValue.WRONG_CODE)) == MOST_TRIES
        assert await wrong_tries(database, f"discord:g:{MOST_TRIES}", now - timedelta(1)) == 1


async def test_a_code_is_long_enough_for_any_number_of_tries(empty: Path):
    async with running_app(empty, ScriptedModel([])) as house:
        codes = {await code_of(house) for _ in range(3)}
        assert len(codes) == 3
        for code in codes:
            letters = code.replace("-", "")
            assert len(letters) * 5 >= 128
            assert set(letters) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


async def test_the_only_owner_claims_a_second_platform_as_the_same_person(empty: Path):
    (empty / "contacts.yaml").write_text(
        "- {id: olga, name: Olga, role: MasterAdmin, ids: {slack: ['T1:U1']}}\n"
    )
    async with running_app(empty, ScriptedModel([])) as house:
        await house.command("ann", "claim", await code_of(house))
        assert [one.id for one in house.app.contacts.people] == ["olga"]
        assert "discord" in house.app.contacts.people[0].ids


async def test_an_owner_keeps_what_they_made_as_a_guest(empty: Path):
    async with running_app(empty, None, FakeChat()) as house:
        await house.ask("ann", "add a todo: bread")
        await house.command("ann", "claim", await code_of(house))
        told = {post.text for post in await house.chat.until(3)}
        assert (
            "I know you as ann now. What I kept for you before is yours here too: 1 todo." in told
        )
        assert "bread" in await house.ask("ann", "list my todos")


def test_nothing_is_shown_where_everybody_is_known():
    assert how_to_claim([]) == ""


async def test_each_platform_has_a_code_of_its_own(empty: Path):
    """A code works once, so one code for two platforms leaves the second without an owner."""
    (empty / "bellhop.yaml").write_text("discord: {enabled: true}\nslack: {enabled: true}\n")
    async with running_app(empty, ScriptedModel([])) as house:
        app, settings = house.app, load_settings(empty)
        told = await new_claim_words(app.database, app.contacts, settings, "root")
        found = re.findall(r"claim ([A-Z2-7-]{34})", told)
        assert len(set(found)) == 2, told
        await house.command("ann", "claim", found[0])
        assert len(app.contacts.people) == 1
