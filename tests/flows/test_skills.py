"""Skills in a whole house: made in chat, run by others as far as their role goes, the same on every platform."""

from pathlib import Path

from bot.domain.models import ModelRequest
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say


def words(request: ModelRequest) -> str:
    """The last user message of a request."""
    last = [message for message in request.messages if message["role"] == "user"][-1]
    return "\n".join(str(block.get("text") or "") for block in last["content"])


async def made(house: Harness, who: str, args: str) -> str:
    return await house.command(who, "skill", f"new {args}")


async def test_a_skill_made_in_chat_runs_at_once_with_its_text_behind_the_persons_words(home: Path):
    model = ScriptedModel([say("Sorted.")], strict=True)
    async with running_app(home, model) as house:
        told = await made(house, "ann", "Weekly Report: 1. Read the numbers.\n2. Name the odd ones.")
        assert "`/custom-skills/weekly_report.md`" in told
        assert "`/weekly_report` runs it" in told
        assert await house.command("ann", "weekly_report", "for May") == "Sorted."
    said = words(model.requests[0])
    assert said.index("/weekly_report for May") < said.index('<quoted kind="skill weekly_report" from="person:ann">')
    assert "2. Name the odd ones." in said
    assert "carry out its steps" in said


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
        await house.chat.say("ben", "zq-steps of mine")
        await house.chat.until(2)
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
    assert not any("zq-steps" in str(request.messages) + str(request.system) for request in model.requests[1:])
