"""What a card shows: the whole call, and in words what it does."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.automations.files import trigger_words
from bot.automations.trigger_file import read_trigger
from bot.domain.approvals import ApprovalState
from bot.domain.database import Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language
from bot.domain.messages import OutgoingMessage, Place
from bot.errors import DeliveryError
from bot.log import register_secret
from bot.sessions.wording.card_text import CARD_CHARS
from bot.testing.automations import BUGS, asked_for, house, make, opened
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import appends_to, lines_of, write_tool
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say

HIDING: JsonObject = {"to": "hello, password: " + "x" * 40 + "; and pay 560 to EVIL"}
LONG: JsonObject = {"to": "pay " * CARD_CHARS}
KEY = "installation-key-7731"
PLANS = {
    "hiding": [call("publish", HIDING), say("It waits.")],
    "long": [call("publish", LONG), say("It waits.")],
    "key": [call("publish", {"to": f"the key is {KEY}"}), say("Not possible.")],
    "wipe": [call("wipe", HIDING), say("It waits.")],
}
ROOM: dict[str, object] = {"where": "room", "place": Place.CHANNEL}


@asynccontextmanager
async def risky_house(home: Path) -> AsyncGenerator[Harness]:
    for name, risk in (("publish", "external-write"), ("wipe", "destructive")):
        script = appends_to(home / "ran.txt", "ran")
        to = {"to": {"type": "string"}}
        write_tool(home, name, script, takes=to, needs=("to",), access="Friend+", risk=risk)
    async with running_app(home, PlanModel(PLANS), FakeChat()) as running:
        yield running


def ran(home: Path) -> list[JsonObject]:
    return lines_of(home / "ran.txt")


def cards(chat: FakeChat, where: str) -> list[OutgoingMessage]:
    return [card for card in chat.cards if card.target.conversation.id == where]


async def test_what_others_must_not_read_is_decided_where_it_is_shown_whole(home: Path):
    async with risky_house(home) as at:
        await at.tell("ann", "hello")
        await at.tell("ann", "do:hiding", **ROOM)
        [shared] = cards(at.chat, "room")
        [own] = cards(at.chat, "dm-ann")
        ref = shared.choices[0].ref
        assert "EVIL" in own.text
        assert own.text.startswith("You asked for this in a channel on ")
        assert json.dumps(HIDING["to"])[1:-1] in own.text
        assert "x" * 40 not in shared.text
        assert [choice.verb for choice in shared.choices] == ["reject"]
        assert "nobody can approve it here" in shared.text
        assert "directly to Ann" in shared.text

        refused = await at.command("ann", "approve", ref, **ROOM)
        assert "in a direct message" in refused
        await at.tell("ann", "yes", **ROOM)
        assert ran(home) == []

        assert await at.command("ann", "approve", ref) == f"Approval {ref}: approved."
        assert ran(home) == [HIDING]


async def test_a_yes_where_the_call_was_never_shown_shows_it_first(home: Path):
    async with risky_house(home) as at:
        at.chat.refuse = lambda message: (
            DeliveryError("closed") if message.target.conversation.place is Place.DM else None
        )
        await at.tell("ann", "do:hiding", **ROOM)
        at.chat.refuse = lambda _message: None
        ref = cards(at.chat, "room")[0].choices[0].ref
        said = await at.command("ann", "approve", ref)
        assert said.startswith(f"Approval {ref} is not decided yet: this is all of it.")
        assert "EVIL" in said
        await at.until_idle()
        assert ran(home) == []
        assert await at.command("ann", "approve", ref) == f"Approval {ref}: approved."


async def test_those_who_may_decide_get_it_whole(home: Path):
    async with risky_house(home) as at:
        await at.tell("ann", "do:wipe", **ROOM)
        [shared] = cards(at.chat, "room")
        [olga] = [card for card in at.cards if card is not shared]
        assert "EVIL" in olga.text
        assert "x" * 40 not in shared.text
        assert "directly to Olga" in shared.text


async def test_a_long_call_is_attached_whole(home: Path):
    async with risky_house(home) as at:
        await at.tell("ann", "do:long", **ROOM)
        [card] = cards(at.chat, "room")
        [file] = card.files
        data = (home / "data" / "blobs" / file.blob).read_bytes()
        assert json.loads(data) == LONG
        assert card.choices[0].verb == "approve"


async def test_a_secret_of_the_installation_is_asked_about_nowhere(home: Path):
    register_secret(KEY)
    async with risky_house(home) as at:
        await at.tell("ann", "do:key")
        assert not cards(at.chat, "dm-ann")
        assert await at.app.approvals.newest() == ()
        told = json.dumps(at.app.model.requests[-1].messages)  # type: ignore[attr-defined]
        assert "to contains a key or password from this installation" in told


async def test_a_call_that_is_not_the_shown_one_does_not_run(home: Path):
    other = json.dumps({"to": "EVIL"})
    async with risky_house(home) as at:
        await at.tell("ann", "do:long")
        [card] = cards(at.chat, "dm-ann")
        ref = card.choices[0].ref
        changed = Write("UPDATE approvals SET arguments = ? WHERE ref = ?", (other, ref))
        await at.app.database.write(Unit.of(changed))
        await at.posts_after(at.chat.click("ann", ref, "approve"))
        assert at.chat.texts[-1].startswith(f"Approval {ref} is not decided yet")
        stored = await at.app.approvals.get(ref)
        assert stored is not None
        assert stored.state is ApprovalState.OPEN


async def test_a_call_that_changes_after_the_yes_does_not_run(home: Path):
    trigger = (
        "CREATE TRIGGER swap AFTER UPDATE OF state ON approvals WHEN NEW.state = 'approved' BEGIN"
        """ UPDATE approvals SET arguments = '{"to": "EVIL"}' WHERE ref = NEW.ref; END"""
    )
    async with risky_house(home) as at:
        await at.tell("ann", "do:long")
        ref = cards(at.chat, "dm-ann")[0].choices[0].ref
        await at.app.database.write(Unit.of(Write(trigger, ())))
        await at.posts_after(at.chat.click("ann", ref, "approve"))
        assert ran(home) == []
        told = json.dumps(at.app.model.requests[-1].messages)  # type: ignore[attr-defined]
        assert "not run: the call is not the one that was shown" in told


LOGIN = {"number": 102, "title": "Login *fails*\n```", "due": "2026-12-01"}


def tools(home: Path, listed: object, *, other: str = "") -> None:
    number = {"number": {"type": "integer"}}
    script = f"cat <<'END'\n{json.dumps(listed)}\nEND"
    write_tool(home, "list_issues", script, takes={})
    lists = {"risk": "external-write", "implementation": "shell: list_issues.sh"}
    write_tool(home, "close_issue", takes=number, needs=("number",), **lists)
    if other:
        write_tool(home, other, takes={}, implementation="shell: list_issues.sh")


async def card_after(home: Path, reads: str) -> str:
    closes = call("close_issue", {"number": 102})
    model = ScriptedModel([call(reads, {}), closes, say("It waits.")])
    async with running_app(home, model, FakeChat()) as at:
        return (await at.tell("ann", "tidy up"))[1]


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
        card = await make(at, model)
        assert card.startswith(
            "**Ann asks to have this done whenever a member writes something with “bug” or “crash” "
            "here: “Sort the report by severity.”** OK?\nThis runs `write_file`, which changes "
            "what runs for you when you are not there"
        )
        assert f"\n```text\n{BUGS.rstrip()}\n```\n" in card
        closed = "It is on, but does nothing yet: a Partner has to say"
        assert closed in asked_for(model.requests[-1])
        await opened(at)
        await make(at, model, BUGS, "/automations/triggers/again.md")
        assert "It is on from now; next when that happens." in asked_for(model.requests[-1])


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
        card = (await at.tell("ann", "tidy up"))[1]
    assert "1. number 102: “Login fails”, 2026-12-01\n2. number 7: “Other”\n" in card
