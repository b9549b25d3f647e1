"""A card says what its call does and names what it acts on; what can't be done is never asked."""

import json
from pathlib import Path

import pytest

from bot.automations.files import trigger_words
from bot.automations.trigger_file import read_trigger
from bot.domain.languages import Language
from bot.testing.automations import BUGS, asked_for, house, make, opened
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

LISTS = """\
# list_issues

## Description
List the issues.

## Parameters
{"type": "object", "properties": {}}

## Implementation
shell: list_issues.sh
"""
CLOSES = """\
# close_issue

## Description
Close an issue.

## Parameters
{"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}

## Risk
external-write

## Implementation
shell: list_issues.sh
"""
LOGIN = {"number": 102, "title": "Login *fails*\n```", "due": "2026-12-01"}


def tools(home: Path, listed: object, *, other: str = "") -> None:
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "list_issues.md").write_text(LISTS)
    (folder / "close_issue.md").write_text(CLOSES)
    (folder / "list_issues.sh").write_text(f"cat <<'END'\n{json.dumps(listed)}\nEND")
    if other:
        (folder / f"{other}.md").write_text(LISTS.replace("list_issues\n", f"{other}\n", 1))


async def card_after(home: Path, reads: str) -> str:
    closes = call("close_issue", {"number": 102})
    model = ScriptedModel([call(reads, {}), closes, say("It waits.")])
    async with running_app(home, model, FakeChat()) as at:
        await at.chat.say("ann", "tidy up")
        posts = await at.chat.until(2)
        await at.until_idle()
    return posts[-1].text


async def test_a_card_names_what_it_acts_on_as_the_session_read_it(home: Path):
    tools(home, {"issues": [LOGIN, {"number": 7, "title": "Other"}]})
    card = await card_after(home, "list_issues")
    assert "```text\nnumber 102: “Login fails”, 2026-12-01\n```\n" in card
    assert '```json\n{\n  "number": 102\n}\n```' in card


@pytest.mark.parametrize("why", ["two names", "another service"])
async def test_a_doubtful_name_is_not_shown(why: str, home: Path):
    listed = [LOGIN, {"number": 102, "title": "Harmless"}] if why == "two names" else [LOGIN]
    reads = "list_issues" if why == "two names" else "read_news"
    tools(home, listed, other="" if reads == "list_issues" else reads)
    card = await card_after(home, reads)
    assert "Login" not in card
    assert "Harmless" not in card


async def test_an_automation_is_asked_about_in_words_and_told_when_it_is_on(home: Path):
    model = ScriptedModel()
    async with house(home, model) as at:
        await opened(at)
        card = await make(at, model)
        assert card.startswith(
            "**Ann asks to have this done whenever a member writes something with “bug” or “crash” "
            "here: “Sort the report by severity.”** OK?\nThis runs `write_file`, which changes "
            "what runs for you when you are not there."
        )
        assert f"\n```text\n{BUGS.rstrip()}\n```\n" in card
        assert "It is on from now; next when that happens." in asked_for(model.requests[-1])


async def test_an_automation_in_a_closed_channel_says_what_it_waits_for(home: Path):
    model = ScriptedModel()
    async with house(home, model) as at:
        await make(at, model)
        assert "It is on, but does nothing yet: a Partner has to say" in asked_for(
            model.requests[-1]
        )


async def test_a_schedule_as_a_file_tells_its_first_time(home: Path):
    text = '---\nname: Report\ncron: "0 8 * * 1"\n---\nWrite the report.\n'
    model = ScriptedModel()
    async with house(home, model) as at:
        card = await make(at, model, text, "/automations/schedules/report.md")
        assert "asks to have this done again and again, every Monday at 08:00" in card
        assert "“Write the report.”" in card
        told = asked_for(model.requests[-1])
        assert "It is on from now; next Monday" in told


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (
            "event: message\nfilter:\n  from: anyone",
            "whenever anybody at all writes something here",
        ),
        ("event: reaction\nfilter:\n  emoji: bug", "a member reacts with “bug” to something here"),
        ("event: webhook", "its web address is called, by whoever knows that,"),
        ("event: email_received\nfilter:\n  from: ann@example.org", "from `ann@example.org`"),
        ('event: message\nchannel: "C2"', "something here, told in channel `C2`"),
        ("event: message\nenabled: false", "keep this, switched off whenever a member"),
    ],
)
def test_each_event_has_words(head: str, words: str):
    text = f"---\nname: x\n{head}\n---\nDo “it”\n**now**"
    told = trigger_words(read_trigger(text, "x.md", mail=True)).said(Language.EN)
    assert words in told
    assert told.endswith(": “Do 'it' now”")


async def test_plans_say_each_call_in_words(home: Path):
    tools(home, [LOGIN, {"number": 7, "title": "Other"}])
    calls = [{"tool": "close_issue", "arguments": {"number": number}} for number in (102, 7)]
    plan = call("plan_calls", {"calls": calls})
    model = ScriptedModel([call("list_issues", {}), plan, say("It waits.")])
    async with running_app(home, model, FakeChat()) as at:
        await at.chat.say("ann", "tidy up")
        card = (await at.chat.until(2))[-1].text
        await at.until_idle()
    assert "1. number 102: “Login fails”, 2026-12-01\n2. number 7: “Other”\n" in card
