"""With `access.unknown_people: pair` a stranger waits until a MasterAdmin says who they are."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.messages import Choice, MessageKind
from bot.sessions.people.pairing import LIFE, PAIR
from bot.sessions.people.person_ids import GENERATED
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat, Posted
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say
from tests.thoroughness import tried

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
    await house.until_idle()


async def test_each_of_them_reads_the_language_in_which_they_write(paired: Path):
    async with running_app(paired, ScriptedModel([say("Ciao.")])) as house:
        await house.ask("olga", "che cosa c'è di nuovo oggi?")
        await house.ask("kit", "wann ist das Treffen und wo?")
        await house.until_idle()
    told = [post.text for post in house.chat.posts]
    assert any(text.startswith("**kit (discord) chiede l'accesso.**") for text in told)
    assert any(text.startswith("Wir kennen uns noch nicht") for text in told)


async def test_a_message_waits_and_is_answered_once_after_the_yes(paired: Path):
    model = ScriptedModel([say("Hello Kit.")])
    async with running_app(paired, model) as house:
        await house.ask("kit", "what time is it?")
        await house.until_idle()
        await house.chat.say("kit", "and where?")
        await house.until_idle()
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
        await house.until_idle()
        await decide(house, "Ban")
        before = len(house.chat.posts)
        await house.chat.say("kit", "hello?")
        await house.until_idle()
        assert len(house.chat.posts) == before
        assert "role: Banned" in (paired / "contacts.yaml").read_text()


async def test_a_bare_yes_does_not_say_as_what_and_others_may_not_decide(paired: Path):
    async with running_app(paired, ScriptedModel([])) as house:
        await house.ask("kit", "hi")
        await house.until_idle()
        ref = cards(house.chat)[0].message.choices[0].ref
        assert "Say as what" in await house.command("olga", "approve", ref)
        await house.chat.command("kit", "pair", f"{ref} partner")
        await house.until_idle()
        assert len(house.app.contacts.people) == 1


async def test_three_people_wait_at_most_and_an_expired_request_is_told(paired: Path):
    clock = FakeClock()
    async with running_app(paired, ScriptedModel([]), clock=clock) as house:
        for name in ("kit", "lea", "mo"):
            await house.chat.say(name, "hi")
            await house.until_idle()
        assert "asking about other people already" in await house.ask("nan", "hi")
        assert len(cards(house.chat)) == 3
        await clock.advance((LIFE + timedelta(minutes=10)).total_seconds())
        while sum("Nobody has told me" in post.text for post in house.chat.posts) < 3:
            await clock.advance(60)
        assert await house.app.approvals.count_open(PAIR) == 0


async def test_ignored_people_start_nothing_but_a_claim(paired: Path):
    (paired / "bellhop.yaml").write_text("access: {unknown_people: ignore}\n")
    async with running_app(paired, ScriptedModel([])) as house:
        await house.chat.say("kit", "hi")
        await house.until_idle()
        assert house.chat.posts == []
        assert "have an owner" in await house.command("kit", "claim", "AAAA")


async def test_a_message_that_was_deleted_meanwhile_is_not_answered(paired: Path):
    async with running_app(paired, ScriptedModel([])) as house:
        await house.chat.say("kit", "hi", key="m1")
        await house.until_idle()
        gone = house.chat.message("kit", "", key="delete:m1:2")
        await house.chat.deliver(replace(gone, kind=MessageKind.DELETE))
        await house.until_idle()
        await decide(house, "Guest")
        said = house.chat.posts[-1].text
        assert said.startswith("kit is `p-")
        assert "in contacts.yaml now: Guest." in said


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
