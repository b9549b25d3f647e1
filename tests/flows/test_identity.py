"""Nobody gets another person's things by a name or by an id that was somebody's before."""

import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.access import Role
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import PlatformPerson
from bot.domain.origins import Origin, Trust
from bot.sessions.people.contacts_file import GENERATED
from bot.sessions.people.takeovers import PATIENCE
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat, Posted
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import Answer, ScriptedModel, say
from tests.thoroughness import tried

OLGA = {
    "discord": "- {id: olga, name: Olga, role: MasterAdmin, ids: {discord: [olga]}}\n",
    "slack": "- {id: olga, name: Olga, role: MasterAdmin, ids: {slack: ['w:olga']}}\n",
}
KIT = {
    "discord": "- {id: kit, name: Kit, role: Friend, ids: {discord: ['1']}}\n",
    "slack": "- {id: kit, name: Kit, role: Friend, ids: {slack: ['w:1']}}\n",
}
GUEST = {"discord": "discord-555", "slack": "slack-w-555"}
NAMES = (
    "Kit",
    "KIT!",
    "ｋｉｔ",  # noqa: RUF001 - looks like kit
    "kіt",  # noqa: RUF001 - so does this
    "discord 555",
    "discord-home-555",
    "slack w 555",
    "terminal local root",
    "olga",
    "...",
    "../kit",
    "a/b\\c",
    "k" * 200,
    "playbooks",
    "p-aaaaaaaaaaaa",
    "李雷",
    "王芳",
)
MARK = "only for its owner"


def furnish(home: Path, people: str) -> None:
    home.mkdir(exist_ok=True)
    (home / "contacts.yaml").write_text(people)
    (home / "bellhop.yaml").write_text("access: {unknown_people: pair}\n")


def rewrite(home: Path, people: str) -> None:
    """Change the file and its time, which a fast test would else not move."""
    path = home / "contacts.yaml"
    before = path.stat().st_mtime_ns
    path.write_text(people)
    os.utime(path, ns=(before + 1_000_000, before + 1_000_000))


async def keep_for(database: Database, home: Path, person: str) -> None:
    """Things of somebody that a session of theirs opens with."""
    origin = json.dumps(Origin(Trust.PERSON, "person").to_json())
    made = {"created_at": "t", "updated_at": "t", "agent": "assistant", "session": "s"}
    todo = {"id": f"t-{person}", "owner": person, "title": MARK, "conversation": "c", **made}
    text = {"owner_kind": "person", "owner": person, "path": "/preferences/global.md"}
    kept = {"text": MARK, "version": "1" * 32, "updated_at": "t", "updated_by": person}
    await database.write(
        Unit((
            _insert("todos", **todo, origin=origin),
            _insert("virtual_files", **text, **kept, origin=origin),
        ))
    )  # fmt: skip
    folder = home / "memory" / person
    folder.mkdir(parents=True)
    (folder / "assistant_memory.md").write_text(f"- [S3] {MARK}\n")


def _insert(table: str, **values: object) -> Write:
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    return Write(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))  # noqa: S608


async def owners(database: Database) -> set[str]:
    rows = await database.read("SELECT owner FROM todos UNION SELECT owner FROM virtual_files")
    return {str(row["owner"]) for row in rows}


def with_card(house: Harness) -> list[Posted]:
    return [post for post in house.chat.posts if post.message.choices]


async def pair(house: Harness, who: str, name: str) -> str:
    """A stranger of this name asks and becomes a Friend; returns their person id."""
    before = len(with_card(house))
    await house.tell(who, "hello", name=name)
    [card] = with_card(house)[before:]
    await house.command("olga", "pair", f"{card.message.choices[0].ref} friend")
    sender = PlatformPerson(who, name)
    return house.app.contacts.resolve(house.chat.platform, "w", sender).id


async def taking(house: Harness, words: str) -> str:
    """All that is posted when Olga says `/takeover` with these words."""
    before = len(house.chat.posts)
    await house.order("olga", "takeover", words)
    return "\n".join(post.text for post in house.chat.posts[before:])


def hello(count: int) -> list[Answer]:
    return [say("Hello.") for _ in range(count)]


@pytest.mark.parametrize("platform", ["discord", "slack"])
async def test_a_stranger_gets_nothing_by_their_name(platform: str, tmp_path: Path):
    furnish(tmp_path, OLGA[platform] + KIT[platform])
    model = ScriptedModel(hello(1 + len(NAMES)))
    async with running_app(tmp_path, model, FakeChat(platform)) as house:
        app = house.app
        for person in ("kit", GUEST[platform]):
            await keep_for(app.database, tmp_path, person)
        await house.ask("1", "hello")
        assert MARK in str(model.requests.pop()), "Kit's own session opens with it"
        rewrite(tmp_path, OLGA[platform])  # Kit has left
        await app.contacts.reload_if_changed()
        ids = [await pair(house, f"9{n}", name) for n, name in enumerate(NAMES)]
        assert all(GENERATED.fullmatch(one) for one in ids)
        assert len(set(ids)) == len(NAMES), "two strangers of one name are two people"
        assert len(model.requests) == len(NAMES)
        assert all(MARK not in str(request) for request in model.requests)
        assert await owners(app.database) == {"kit", GUEST[platform]}
        folders = {one.name for one in (tmp_path / "memory").iterdir()}
        assert folders >= {"kit", GUEST[platform]}


async def test_two_strangers_of_one_name_are_two_people_after_a_restart(tmp_path: Path):
    furnish(tmp_path, OLGA["discord"])
    chat = FakeChat()
    async with running_app(tmp_path, ScriptedModel(hello(1)), chat) as house:
        first = await pair(house, "91", "Kit")
        await keep_for(house.app.database, tmp_path, first)
    rewrite(tmp_path, OLGA["discord"])  # removed while nothing runs
    model = ScriptedModel(hello(1))
    async with running_app(tmp_path, model, chat) as house:
        second = await pair(house, "92", "Kit")
        assert second != first
        assert MARK not in str(model.requests)
        assert await owners(house.app.database) == {first}
        assert house.app.contacts.was_used(first)


async def test_a_stranger_called_like_the_operator_is_not_the_operator(tmp_path: Path):
    furnish(tmp_path, OLGA["discord"])
    model = ScriptedModel(hello(1))
    async with running_app(tmp_path, model) as house:
        await keep_for(house.app.database, tmp_path, "terminal-local-root")
        stranger = await pair(house, "91", "root")
        await house.app.moves.links.follow()
        assert await owners(house.app.database) == {"terminal-local-root"}
        assert MARK not in str(model.requests)
        operator = house.app.contacts.resolve("terminal", "local", PlatformPerson("root", "root"))
        assert (operator.id, operator.role) == ("terminal-local-root", Role.MASTER_ADMIN)
        assert stranger != operator.id


@asynccontextmanager
async def left_and_back(home: Path, entry: str) -> AsyncGenerator[Harness]:
    """Kit was a contact and has left; `entry` is then written by hand."""
    furnish(home, OLGA["discord"] + KIT["discord"])
    async with running_app(home, None) as house:
        await keep_for(house.app.database, home, "kit")
    rewrite(home, OLGA["discord"])
    async with running_app(home, None):
        rewrite(home, OLGA["discord"] + entry)
    async with running_app(home, None) as house:
        yield house


async def test_an_id_that_comes_back_with_other_accounts_gets_nothing(tmp_path: Path):
    entry = "- {id: kit, name: Kim, role: Partner, ids: {discord: ['2'], slack: ['T1:U2']}}\n"
    async with left_and_back(tmp_path, entry) as house:
        contacts = house.app.contacts
        kim = contacts.resolve("discord", "w", PlatformPerson("2", "Kim"))
        assert (kim.id, kim.name, kim.role) == ("discord-2", "Kim", Role.PARTNER)
        assert contacts.resolve("slack", "T1", PlatformPerson("U2", "Kim")).id == "slack-T1-U2"
        assert contacts.person("kit") is None
        assert contacts.person("discord-2") == kim
        [problem] = contacts.problems
        assert "contacts.yaml, line 2: the id 'kit' belonged to discord:1" in problem
        assert "bellhop contacts take-over kit kit" in problem
        await house.tell("2", "add a todo: bread")
        rows = await house.rows("SELECT owner, title FROM todos ORDER BY title")
        assert [(row["owner"], row["title"]) for row in rows] == [
            ("discord-2", "bread"),
            ("kit", MARK),
        ]


async def test_an_id_that_comes_back_with_its_account_has_its_things(tmp_path: Path):
    async with left_and_back(tmp_path, KIT["discord"]) as house:
        contacts = house.app.contacts
        assert contacts.problems == ()
        assert contacts.resolve("discord", "w", PlatformPerson("1", "Kit")).id == "kit"


async def test_a_ban_holds_under_an_id_that_was_somebody_elses(tmp_path: Path):
    entry = "- {id: kit, name: Kim, role: Banned, ids: {discord: ['2']}}\n"
    async with left_and_back(tmp_path, entry) as house:
        kim = house.app.contacts.resolve("discord", "w", PlatformPerson("2", "Kim"))
        assert kim.role is Role.BANNED


async def test_an_edit_while_it_runs_withholds_before_anybody_is_found(tmp_path: Path):
    furnish(tmp_path, OLGA["discord"] + KIT["discord"])
    async with running_app(tmp_path, None) as house:
        rewrite(tmp_path, OLGA["discord"] + KIT["discord"].replace("'1'", "'2'"))
        contacts = house.app.contacts
        await contacts.reload_if_changed()
        assert contacts.resolve("discord", "w", PlatformPerson("2", "Kim")).id == "discord-2"
        assert contacts.withheld == {"kit"}


async def test_an_id_of_a_home_from_before_the_record_is_not_given_again(tmp_path: Path):
    furnish(tmp_path, OLGA["discord"])
    async with running_app(tmp_path, None) as house:
        database = house.app.database
        await keep_for(database, tmp_path, "kit")
        folder = tmp_path / "memory" / "lea"
        folder.mkdir()
        (folder / "assistant_memory.md").write_text("- [S3] tea\n")
        await database.write(Unit.of(Write("DELETE FROM contact_ids")))
    people = OLGA["discord"] + KIT["discord"]
    async with running_app(tmp_path, None) as house:
        assert house.app.contacts.was_used("KIT")
        assert house.app.contacts.was_used("lea")
        rewrite(tmp_path, people)
        await house.app.contacts.reload_if_changed()
        assert "belonged to a contact that was removed" in house.app.contacts.problems[0]


# --- taking over ---

TWO = "- {id: ann, name: Ann, role: Friend, ids: {discord: ['42', '555']}}\n"
ONE = "- {id: ann, name: Ann, role: Friend, ids: {discord: ['42']}}\n"


@asynccontextmanager
async def added(home: Path, clock: FakeClock | None = None) -> AsyncGenerator[Harness]:
    """The account 555 was added to Ann, who had another one."""
    furnish(home, OLGA["discord"] + ONE)
    async with running_app(home, None, clock=clock) as house:
        await keep_for(house.app.database, home, "discord-555")
        rewrite(home, OLGA["discord"] + TWO)
        await house.app.contacts.reload_if_changed()
        await house.app.moves.links.follow()
        yield house


async def test_what_an_account_made_before_it_was_added_moves_with_its_yes(tmp_path: Path):
    async with added(tmp_path) as house:
        database, contacts = house.app.database, house.app.contacts
        assert contacts.resolve("discord", "w", PlatformPerson("555", "x")).id == "ann"
        assert await owners(database) == {"discord-555"}
        listed = await taking(house, "discord:555 ann")
        assert "1 todo, 1 file, what is in memory" in listed
        assert MARK not in listed
        assert not [post for post in with_card(house) if "hand it over" in str(post)]
        assert "I have asked discord:555" in await taking(house, "discord:555 ann yes")
        posts = await house.chat.until(3)
        [card] = [post for post in posts if post.message.choices]
        assert card.message.target.conversation.id == "555"
        assert "become that of **Ann**" in card.text
        ref = card.message.choices[0].ref
        for other in ("42", "olga", "7"):
            await house.posts_after(house.chat.click(other, ref, "takeover_yes"))
        assert await owners(database) == {"discord-555"}, "only the account itself may say yes"
        await house.posts_after(house.chat.click("555", ref, "takeover_yes"))
        await house.app.moves.links.follow()
        assert await owners(database) == {"ann"}
        assert any("the owner said yes" in post.text for post in await house.chat.until(8))
        details = [entry.detail for entry in await house.app.approvals.audit()]
        assert any("discord-555 to ann, with the yes of discord:555" in one for one in details)
        assert "has what is kept" in await taking(house, "discord-555 ann yes")


async def test_a_no_is_final(tmp_path: Path):
    async with added(tmp_path) as house:
        await taking(house, "discord:555 ann yes")
        [card] = with_card(house)
        await house.posts_after(house.chat.click("555", card.message.choices[1].ref, "takeover_no"))
        assert "said no" in await taking(house, "discord:555 ann yes")
        await house.app.moves.links.follow()
        assert await owners(house.app.database) == {"discord-555"}


async def test_without_an_answer_it_is_done_later_and_the_audit_says_so(tmp_path: Path):
    clock = FakeClock()
    async with added(tmp_path, clock) as house:
        await taking(house, "discord:555 ann yes")
        assert "wait for the answer" in await taking(house, "discord:555 ann yes")
        await clock.advance((PATIENCE + timedelta(minutes=1)).total_seconds())
        await taking(house, "discord:555 ann yes")
        await house.app.moves.links.follow()
        assert await owners(house.app.database) == {"ann"}
        details = [entry.detail for entry in await house.app.approvals.audit()]
        assert any("without a yes: no answer for 3 days" in one for one in details)


async def test_an_account_that_was_taken_away_before_the_yes_keeps_its_things(tmp_path: Path):
    async with added(tmp_path) as house:
        await taking(house, "discord:555 ann yes")
        [card] = with_card(house)
        rewrite(tmp_path, OLGA["discord"] + ONE)
        await house.app.contacts.reload_if_changed()
        await house.posts_after(
            house.chat.click("555", card.message.choices[0].ref, "takeover_yes")
        )
        assert any("says something else by now" in post.text for post in house.chat.posts)
        rewrite(tmp_path, OLGA["discord"] + TWO)
        await house.app.contacts.reload_if_changed()
        await house.app.moves.links.follow()
        assert await owners(house.app.database) == {"discord-555"}


async def test_only_a_master_admin_begins_one_and_only_in_a_direct_message(tmp_path: Path):
    async with added(tmp_path) as house:
        said = await house.command("42", "takeover", "discord-555 ann yes")
        assert said == "Only a MasterAdmin can decide this."
        for words, answer in (
            ("olga ann", "olga is a contact"),
            ("nobody ann", "No contact ever had the id"),
            ("discord:7 ann", "is no account of ann"),
            ("discord-7 ann", "is no account of ann"),
            ("ann ann", "ann has what is kept"),
            ("discord:555 zoe", "has no 'zoe'"),
            ("ann", "Say whose things"),
            ("vaaaa yes", "There is no such question"),
        ):
            assert answer in await taking(house, words)


async def test_a_member_who_comes_back_takes_over_their_former_id(tmp_path: Path):
    furnish(tmp_path, OLGA["discord"] + KIT["discord"])
    async with running_app(tmp_path, ScriptedModel(hello(1))) as house:
        await keep_for(house.app.database, tmp_path, "kit")
        rewrite(tmp_path, OLGA["discord"])
        await house.app.contacts.reload_if_changed()
        new = await pair(house, "1", "Kit")
        assert f"`/takeover kit {new}`" in house.chat.posts[-2].text + house.chat.posts[-1].text
        assert await owners(house.app.database) == {"kit"}
        before = len(with_card(house))
        await taking(house, f"kit {new} yes")
        await house.until_idle()
        [card] = with_card(house)[before:]
        await house.posts_after(house.chat.click("1", card.message.choices[0].ref, "takeover_yes"))
        await house.app.moves.links.follow()
        assert await owners(house.app.database) == {new}
        assert not (tmp_path / "memory" / "kit").exists()
        rewrite(tmp_path, OLGA["discord"] + KIT["discord"].replace("'1'", "'2'"))
        await house.app.contacts.reload_if_changed()
        await house.app.moves.links.follow()
        assert await owners(house.app.database) == {new}, "and never comes back to the old id"


async def test_a_removed_member_answers_also_where_strangers_are_ignored(tmp_path: Path):
    furnish(tmp_path, OLGA["discord"] + KIT["discord"])
    (tmp_path / "bellhop.yaml").write_text("access: {unknown_people: ignore}\n")
    async with running_app(tmp_path, None) as house:
        await keep_for(house.app.database, tmp_path, "kit")
        rewrite(tmp_path, OLGA["discord"] + ONE)
        await house.app.contacts.reload_if_changed()
        await taking(house, "kit ann yes")
        [card] = with_card(house)
        await house.posts_after(house.chat.click("1", card.message.choices[1].ref, "takeover_no"))
        await house.chat.until(4)
        assert any("About kit and Ann: the owner said no" in text for text in house.chat.texts)


async def test_an_id_with_other_accounts_is_taken_over_as_itself(tmp_path: Path):
    entry = "- {id: kit, name: Kit, role: Friend, ids: {discord: ['2']}}\n"
    async with left_and_back(tmp_path, entry) as house:
        await taking(house, "kit kit yes")
        await house.until_idle()
        [card] = with_card(house)
        assert card.message.target.conversation.id == "1"
        await house.posts_after(house.chat.click("1", card.message.choices[0].ref, "takeover_yes"))
        contacts = house.app.contacts
        assert contacts.resolve("discord", "w", PlatformPerson("2", "Kit")).id == "kit"
        assert contacts.problems == ()


async def _asks(life: AppLife) -> None:
    await life.chat.command("olga", "takeover", "discord:555 ann yes", key="c1")


async def _agrees(life: AppLife) -> None:
    [card] = life.chat.cards
    await life.chat.click("555", card.choices[0].ref, "takeover_yes", key="c2")


@pytest.mark.thorough
async def test_it_is_asked_and_moved_once_wherever_the_process_ends(tmp_path: Path):
    async def play(folder: Path, point: CrashPoint | None) -> AppLives:
        furnish(folder, OLGA["discord"] + ONE)
        async with running_app(folder, None) as house:
            await keep_for(house.app.database, folder, "discord-555")
        rewrite(folder, OLGA["discord"] + TWO)
        lives = AppLives(folder)
        went = await lives.play(ScriptedModel([]), [_asks, _agrees], point)
        assert went is (point is not None)
        assert len(lives.chat.cards) == 1, point
        async with running_app(folder, None) as house:
            assert await owners(house.app.database) == {"ann"}, point
            details = [entry.detail for entry in await house.app.approvals.audit()]
            assert sum("with the yes of" in one for one in details) == 1, point
        return lives

    commits = (await play(tmp_path / "whole", None)).commits
    for number, point in enumerate(tried(list(crash_points(commits))[::3])):
        await play(tmp_path / str(number), point)
