"""Skills in a whole house: made in chat, run by others within roles, on all platforms."""

import json
import shutil
from pathlib import Path

import pytest

from bot.domain.languages import Language
from bot.domain.messages import DIRECT, Conversation, Place
from bot.domain.models import ModelReply, ModelRequest
from bot.domain.places import AT_TERMINAL
from bot.skills.custom import SkillDraft, SkillRefused
from bot.testing.app_lives import AppLives, PersonAct
from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, result_texts, say
from tests.thoroughness import tried

TOWELS = """---
name: towels
description: Count towels.
words: count towels
---
One towel at a time.
"""


def words(request: ModelRequest) -> str:
    """The last user message of a request."""
    last = [message for message in request.messages if message["role"] == "user"][-1]
    return "\n".join(str(block.get("text") or "") for block in last["content"])


def last_note(request: ModelRequest) -> str:
    """The last note of the operator in a request."""
    last = [message for message in request.messages if message["role"] == "system"][-1]
    return "\n".join(str(block.get("text") or "") for block in last["content"])


def first_match(request: ModelRequest) -> dict[str, str]:
    """The best hit of the search whose result came last."""
    return json.loads(result_texts(request)[-1])["matches"][0]


async def made(house: Harness, who: str, args: str) -> str:
    return await house.command(who, "skill", f"new {args}")


async def test_a_new_skill_runs_at_once_behind_the_persons_words(home: Path):
    model = ScriptedModel([say("Sorted.")], strict=True)
    async with running_app(home, model) as house:
        told = await made(
            house, "ann", "Weekly Report: 1. Read the numbers.\n2. Name the odd ones."
        )
        assert "`/custom-skills/weekly_report.md`" in told
        assert "`/weekly_report` runs it" in told
        assert await house.command("ann", "weekly_report", "for May") == "Sorted."
    said = words(model.requests[0])
    assert said.index("/weekly_report for May") < said.index(
        '<quoted kind="skill weekly_report" from="person:ann">'
    )
    assert "2. Name the odd ones." in said
    assert "carry out its steps" in said


async def test_a_name_without_letters_of_commands_is_refused_before_the_steps_are_asked(home: Path):
    async with running_app(home, ScriptedModel([])) as house:
        told = await made(house, "ann", "отчёт")
        assert told == "'отчёт' can't be a name; use letters and digits, such as weekly_report"


async def test_a_personal_skill_is_nobody_elses_and_a_shared_one_is_everybodys(home: Path):
    model = ScriptedModel([say("One."), say("Two.")], strict=True)
    async with running_app(home, model) as house:
        await made(house, "ben", "standup2: Ask zq-secret things.")
        assert "I don't know /standup2." in await house.command("ann", "standup2")
        assert "zq-secret" not in await house.command("ann", "skill", "show standup2")
        assert "Now everybody here has it" in await house.command("ben", "skill", "share standup2")
        assert await house.command("ann", "standup2") == "One."
        assert await house.command("owner", "skill", "standup2 now") == "Two."
    said = words(model.requests[0])
    assert 'from="person:ben"' in said
    assert "zq-secret" in said


async def test_a_session_opens_with_the_skills_that_people_wrote_for_it_quoted(home: Path):
    model = ScriptedModel([say("A.")] * 3, strict=True)
    async with running_app(home, model) as house:
        await house.command("ben", "skill", "new report")
        await house.tell("ben", "zq-steps of mine")
        await house.chat.say("ben", "When somebody wants the report.")
        posts = await house.chat.until(3)
        assert "I use it by myself from your next session on" in posts[2].text
        await house.ask("ben", "hello")
        await house.ask("ann", "hello")
        await house.command("ben", "skill", "share report")
        await house.ask("owner", "hello")
    own, other, shared = (words(request) for request in model.requests)
    assert "- /custom-skills/report.md: When somebody wants the report." in own
    assert "report" not in other
    assert "- /custom-skills/shared/report.md (by ben): When somebody wants the report." in shared
    assert 'from="person:ben"' in shared
    assert not any(
        "zq-steps" in str(request.messages) + str(request.system) for request in model.requests[1:]
    )


PAYROLL = (
    "---\nname: payroll\ndescription: zq-about\ncommand: payroll\nroles: Partner+\n---\nzq-steps\n"
)


async def test_without_its_role_a_skill_is_neither_seen_nor_run_nor_read(home: Path):
    (home / "skills" / "payroll").mkdir(parents=True)
    (home / "skills" / "payroll" / "SKILL.md").write_text(PAYROLL)
    reading = [call("read_file", {"path": "/skills/payroll/SKILL.md"}), say("Done.")]
    seeing = [call("get_capabilities", {"include": ["skills"]}), say("Seen.")]
    model = ScriptedModel([*reading, *seeing, say("Paid.")], strict=True)
    async with running_app(home, model) as house:
        assert "I don't know /payroll." in await house.command("ann", "payroll")
        assert "There is no skill 'payroll'" in await house.command("ann", "skill", "payroll now")
        assert "payroll" not in await house.command("ann", "help")
        assert await house.ask("ann", "read it") == "Done."
        assert await house.ask("ann", "look") == "Seen."
        assert "zq-" not in json.dumps([[r.system, r.messages] for r in model.requests])
        assert await house.command("ben", "payroll", "May") == "Paid."
    assert "zq-steps" in words(model.requests[-1])


async def test_the_same_skill_runs_on_every_platform_and_in_threads(home: Path):
    model = ScriptedModel([say("Done.")] * 3, strict=True)
    for platform, place in (
        ("discord", Place.THREAD),
        ("slack", Place.THREAD),
        ("terminal", Place.DM),
    ):
        async with running_app(home, model, FakeChat(platform)) as house:
            await house.order("ann", "Standup", "figures sent", where="t1", place=place)
            assert house.chat.texts == ["Done."]
    said = {
        words(request).rsplit("/standup figures sent", 1)[1].split("</quoted>")[0]
        for request in model.requests
    }
    assert len(said) == 1
    assert '<quoted kind="skill standup" from="skill:standup">' in said.pop()


async def test_a_skill_is_a_turn_of_its_own_behind_the_one_that_runs(home: Path):
    model = ScriptedModel([call("current_time", {}), say("First."), say("Second.")], strict=True)
    held = model.hold(1)
    async with running_app(home, model) as house:
        await house.chat.say("ann", "what time is it?")
        await model.asked(1)
        await house.chat.command("ann", "standup", "later")
        held.set()
        posts = await house.chat.until(2)
    assert [post.text for post in posts] == ["First.", "Second."]
    assert "skill standup" not in json.dumps(model.requests[1].messages)


async def test_a_skill_that_goes_before_its_turn_begins_is_told_to_be_gone(home: Path):
    model = ScriptedModel([call("current_time", {}), say("First.")], strict=True)
    held = model.hold(1)
    async with running_app(home, model) as house:
        await made(house, "ann", "weekly: Do it.")
        await house.chat.say("ann", "what time is it?")
        await model.asked(1)
        await house.chat.command("ann", "weekly")
        # Commands run beside each other: the removal has to come after the turn is queued.
        await house.until_found("SELECT 1 FROM inbox WHERE key LIKE 'skill:%'")
        removed = await house.meanwhile(house.chat.command("ann", "skill", "remove weekly"))
        assert "Removed weekly." in removed
        held.set()
        posts = await house.chat.until(4)
    assert "is not there any more" in posts[3].text


async def test_a_turn_keeps_the_text_that_it_began_with_over_a_crash_and_an_edit(home: Path):
    lives = AppLives(home)

    def dies(request: ModelRequest) -> ModelReply:
        lives.kill()
        raise AssertionError

    async with lives.life(ScriptedModel([dies])) as life:
        await life.order("ann", "skill", "new weekly: zq-first steps", key="k1")
        await life.order("ann", "weekly", "May", key="k2")
    model = ScriptedModel([say("Done.")], strict=True)
    held = model.hold(1)
    async with lives.life(model) as life:
        request = await model.asked(1)
        await life.chat.command("ann", "skill", "remove weekly", key="k3")
        await life.chat.until(2)
        held.set()
        await life.settle()
    assert "zq-first steps" in words(request)
    assert lives.chat.texts[1:] == ["Removed weekly.", "Done."]


def runs(who: str, name: str, args: str, key: str) -> PersonAct:
    return lambda life: life.chat.command(who, name, args, key=key)


@pytest.mark.thorough
async def test_no_crash_loses_or_doubles_a_skill_that_runs(
    home: Path, tmp_path_factory: pytest.TempPathFactory
):
    folder = tmp_path_factory.mktemp("lives")
    acts = [
        runs("ann", "skill", "new weekly: zq-first steps", "k1"),
        runs("ann", "weekly", "May", "k2"),
    ]

    async def play(place: Path, point: CrashPoint | None) -> tuple[AppLives, list[str]]:
        shutil.copytree(home, place)
        lives = AppLives(place)
        asked: list[str] = []

        def answer(request: ModelRequest) -> ModelReply:
            lives.alive()
            asked.append(words(request))
            return say("Done.")

        assert await lives.play(ScriptedModel([answer] * 9), acts, point) is (point is not None), (
            point
        )
        return lives, asked

    whole, _ = await play(folder / "whole", None)
    for number, point in enumerate(tried(crash_points(whole.commits))):
        lives, asked = await play(folder / f"life{number}", point)
        assert [text.split(":")[0] for text in lives.chat.texts] == ["Saved", "Done."], point
        assert all(text.count("zq-first steps") == 1 for text in asked), point


async def test_help_and_lists_name_private_skills_only_to_their_owner(home: Path):
    chat = FakeChat()
    async with running_app(home, ScriptedModel([]), chat) as house:
        await house.command("ann", "skill", "new therapy: ask how it went")
        await chat.command("ann", "help", where="general", place=Place.CHANNEL)
        await chat.command("ann", "skill", "list", where="general", place=Place.CHANNEL)
        await chat.command("ann", "therapi", where="general", place=Place.CHANNEL)
        posts = await chat.until(4)
        in_public = [post.text for post in posts[1:]]
        assert not any("therapy" in text for text in in_public), in_public
        assert any("- 1 more is private; ask me in a DM" in text for text in in_public)
        assert "therapy" in await house.command("ann", "skill", "list")
        assert "therapy" in await house.command("ann", "help")


async def test_sharing_from_a_dm_without_a_workspace_reaches_nobody(home: Path):
    async with running_app(home, ScriptedModel([])) as house:
        skills = house.app.house.written.custom_skills
        ben, ann = house.app.contacts.person("ben"), house.app.contacts.person("ann")
        assert ben is not None
        assert ann is not None
        bens, anns = Conversation("discord", DIRECT, "1"), Conversation("discord", DIRECT, "2")
        refused = await skills.save_custom_skill(
            SkillDraft("plan", "Plan it.", shared=True), ben, bens, AT_TERMINAL
        )
        assert isinstance(refused, SkillRefused)
        assert "belongs to no server" in refused.told.said(Language.EN)
        await skills.save_custom_skill(SkillDraft("plan", "Plan it."), ben, bens, AT_TERMINAL)
        assert isinstance(await skills.share("plan", ben, bens), SkillRefused)
        assert await skills.visible(ann, anns) == ()


async def test_the_note_names_the_skill_that_fits_what_is_asked(home: Path):
    model = ScriptedModel([say("Which day?"), say("Hello."), say("Done.")], strict=True)
    async with running_app(home, model) as house:
        await house.ask("ann", "write my standup, and keep it short")
        await house.ask("ann", "good morning to you")
        await house.command("ann", "standup", "write my standup")
    notes = [last_note(request) for request in model.requests]
    named = " Skill that may fit: /skills/standup/SKILL.md (Write somebody's standup.)"
    assert [named in note for note in notes] == [True, False, False]


async def test_the_text_of_a_skill_that_ships_comes_once_with_the_words_that_ask_for_it(home: Path):
    model = ScriptedModel([say("Done."), say("Again."), say("Read first.")], strict=True)
    folder = home / "skills" / "towels"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(TOWELS)
    async with running_app(home, model) as house:
        await house.ask("ann", "write my standup")
        await house.ask("ann", "write my standup once more")
        await house.ask("ben", "count the towels")
        text = house.app.house.written.skills.body("standup")
    notes = [last_note(request) for request in model.requests]
    assert text
    assert [text in note for note in notes] == [True, False, False]
    assert "/skills/standup/SKILL.md" in notes[1]
    assert "/skills/towels/SKILL.md" in notes[2]
    assert "One towel" not in notes[2], "a home's skill may stem from elsewhere"


async def test_a_search_that_surely_finds_a_skill_that_ships_gives_its_text(home: Path):
    folder = home / "skills" / "towels"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(TOWELS)
    searches = [
        call("tool_search", {"query": query}) for query in ("write a how-to page", "count towels")
    ]
    model = ScriptedModel([*searches, say("Done.")], strict=True)
    async with running_app(home, model) as house:
        await house.ask("ann", "hello")
        text = house.app.house.written.skills.body("how-to-page")
    found, towels = (first_match(request) for request in model.requests[1:])
    assert text
    assert (found["name"], found["text"]) == ("how-to-page", text)
    assert (towels["name"], towels["read"]) == ("towels", "/skills/towels/SKILL.md")
    assert "text" not in towels


async def test_a_search_does_not_repeat_the_text_that_the_model_has(home: Path):
    query = {"query": "write my standup"}
    once, twice = [[call("tool_search", query) for _ in range(2)] for _ in range(2)]
    model = ScriptedModel([*once, say("Done."), *twice, say("Done.")], strict=True)
    async with running_app(home, model) as house:
        await house.ask("ann", "write my standup")
        await house.ask("ben", "hello")
    texts = [first_match(model.requests[at])["text"] for at in (1, 2, 4, 5)]
    assert [text == "as above" for text in texts] == [True, True, False, True]


async def test_a_persons_own_skill_is_named_in_place_of_the_shipped_one(home: Path):
    own = "---\nname: My Standup\ndescription: Mine.\nauto_invoke: true\n---\nShort.\n"
    save = call("write_file", {"path": "/custom-skills/standup.md", "content": own})
    model = ScriptedModel([save, say("Saved."), say("Ann's."), say("Ben's.")], strict=True)
    async with running_app(home, model) as house:
        await house.ask("ann", "keep this way of working: " + own)
        await house.ask("ann", "write my standup")
        await house.ask("ben", "write my standup")
    anns, bens = (str(request.messages) for request in model.requests[-2:])
    assert " Skill that may fit: /custom-skills/standup.md" in anns
    assert " Skill that may fit: /skills/standup/SKILL.md (" in bens


async def test_skills_are_shown_by_family_with_what_to_ask_for(home: Path):
    async with running_app(home, ScriptedModel()) as house:
        families = await house.command("ann", "skills")
        team = await house.command("ann", "skills", "team")
        of_one = await house.command("ann", "skills", "retro")
        unknown = await house.command("ann", "skills", "owls")
        refused = await house.command("ann", "skills", "import")
        await made(house, "ann", "Own Way: 1. Read.")
        listed = await house.command("ann", "skill", "list")
    assert "**teamwork** (" in families
    assert "`/skills team`" in families
    assert "- **retro**: Lead a retrospective" in team
    assert "“hold a retro of the release with us”" in team
    assert of_one == team
    assert unknown.startswith("There is no family 'owls'; there are: team, ")
    assert refused.startswith("Importing skills is for a MasterAdmin.")
    assert listed.index("own_way") < listed.index("**teamwork**")


async def test_a_skill_without_a_command_is_completed_by_its_name_and_its_family(home: Path):
    async with running_app(home, ScriptedModel()) as house:
        chat, desk = house.chat, house.app.commands
        person = house.app.contacts.resolve("discord", "w", chat.message("ann", "").sender)
        named = {command.name: family for command, family in desk.skills.by_name(person)}
    assert named["retro"] == "team"
    assert "standup" not in named, "it has a command of its own"
