"""/people as somebody types it, and the run that somebody new starts."""

from pathlib import Path
from typing import Any

from bot.domain.runs import RunKind, RunShape
from bot.testing.automations import HERE, house, make, pass_window, write
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

NEW_PEOPLE = """\
---
name: New people
event: new_person
---
Read /skills/about-people/SKILL.md and do what it says about somebody new.
"""
PATH = "/automations/triggers/new-people.md"


def contacts(home: Path) -> None:
    (home / "bellhop.yaml").write_text("model: {provider: offline}\n")
    (home / "contacts.yaml").write_text(
        "- {id: ann, name: Ann Lee, role: Partner, ids: {discord: [ann]}}\n"
        "- {id: ben, name: Ben Okri, role: Friend, timezone: Asia/Tokyo, ids: {discord: [ben]}}\n"
        "- {id: ben2, name: Ben Okri, role: Friend, ids: {discord: [ben2]}}\n"
    )


async def people(at: Harness, who: str, args: str = "", **where: Any) -> str:
    before = len(at.chat.posts)
    await at.chat.command(who, "people", args, **where)
    return (await at.chat.until(before + 1))[before].text


async def test_two_files_about_one_person_are_offered_and_joined_by_who_may(home: Path):
    contacts(home)
    async with running_app(home, None) as at:
        assert (
            await people(at, "ann") == "I keep no files about people yet. Ask me who somebody is."
        )
        told = await at.ask("ann", "who is Ben?")
        assert told.count("**Ben Okri**") == 2
        assert "`/people merge ben-okri-2 ben-okri`" in told
        assert "Asia/Tokyo" in told
        assert "Maybe the same: `/people merge" in await people(at, "ann")
        assert await people(at, "ben", "merge ben-okri-2 ben-okri") == (
            "Only a Partner or a MasterAdmin merges files that others read."
        )
        assert "two people" in await people(at, "ann", "apart ben-okri-2 ben-okri")
        assert "Maybe the same" not in await people(at, "ann")
        assert await people(at, "ann", "merge ben-okri-2 ben-okri") == (
            "/people/ben-okri-2.md is /people/ben-okri.md now, with the notes of both."
        )
        assert (await at.ask("ann", "who is Ben?")).count("**Ben Okri**") == 1
        assert (
            await people(at, "ann", "merge ben-okri-2 ben-okri")
            == "Both names mean one file already."
        )
        assert "There is no file nobody here" in await people(at, "ann", "merge nobody ben-okri")
        assert (await at.ask("gus", "who is Ann?")) == "I don't know anybody called Ann here."
        assert await people(at, "gus") == "- gus (gus)"


async def test_somebody_new_is_looked_up_by_a_run_of_its_own_shape(home: Path):
    contacts(home)
    (home / "bellhop.yaml").write_text("")
    model = ScriptedModel()
    async with house(home, model) as at:
        await make(at, model, NEW_PEOPLE, PATH)
        asked = len(model.requests)
        model.replace(
            call("people", {"action": "find", "query": "dana"}),
            call(
                "people",
                {"action": "note", "person": "/people/dana.md", "note": "asked about the roof"},
            ),
            say("Dana is new."),
        )
        await write(at, "dana", "How is the roof?")
        await pass_window(at)
        runs = model.requests[asked:]
        assert len(runs) == 3
        assert "wrote here for the first time. Role: Guest." in str(runs[0].messages)
        assert "/people/dana.md" in str(runs[1].messages)
        assert RunKind(RunShape.TRIGGERED, "NEW_PERSON").researches
        model.replace(call("people", {"action": "find", "query": "dana"}), say("Found."))
        await at.tell("ben", "who is dana?", **HERE)
        assert "asked about the roof" in str(model.requests[-1].messages)
