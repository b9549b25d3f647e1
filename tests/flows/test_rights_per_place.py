"""What roles and places allow, and where each right comes from."""

import json
from dataclasses import replace
from pathlib import Path

from bot.domain.access import Role
from bot.domain.chat import Acceptance
from bot.domain.messages import Addressed, IncomingMessage, Place, Visibility
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, say

POLICY = """\
rules:
  - {name: no sums for friends in private, roles: Friend, places: private, tools: calculate, \
decision: deny}
places:
  - {name: quiet corner, where: "channel:quiet", reply: quiet}
  - {name: open house, where: "channel:open", reply: free, guests: ignore}
  - {name: no todos, where: private, tools: {deny: manage_todos}}
  - {name: forgetful, where: "channel:forgetful", learn: false}
  - {name: helpers, where: "channel:helpers", agent: helper}
  - {name: frugal, where: "channel:frugal", budget: {day_tool_calls: 1}}
"""


def in_channel(
    chat: FakeChat,
    who: str,
    text: str,
    where: str,
    *,
    visibility: Visibility = Visibility.PUBLIC,
    addressed: Addressed | None = None,
) -> IncomingMessage:
    message = chat.message(who, text, where=where, place=Place.CHANNEL, addressed=addressed)
    conversation = replace(message.conversation, visibility=visibility)
    return replace(
        message,
        conversation=conversation,
        reply_to=replace(message.reply_to, conversation=conversation),
    )


async def why(house: Harness, message: IncomingMessage) -> str:
    """What the owner is told about a message."""
    record = await house.app.engine.recorded(message.key)
    assert record is not None
    return await house.command("owner", "why", record.ref)


def declared(model: ScriptedModel, at: int) -> set[str]:
    return {str(tool["name"]) for tool in model.requests[at].tools}


async def test_quiet_places_listen_free_ones_answer_and_guests_can_be_ignored(home: Path):
    (home / "policy.yaml").write_text(POLICY)
    chat = FakeChat()
    async with running_app(home, ScriptedModel([say("Here I am.")]), chat) as house:
        quiet = in_channel(chat, "ann", "@bot are you there?", "quiet")
        assert await chat.deliver(quiet) is Acceptance.CONTEXT
        stranger = in_channel(chat, "stranger", "@bot are you there?", "open")
        assert await chat.deliver(stranger) is Acceptance.IGNORED
        unasked = in_channel(chat, "ann", "is anybody there?", "open", addressed=Addressed.NONE)
        assert await chat.deliver(unasked) is Acceptance.TURN
        to_ben = replace(
            in_channel(chat, "ann", "Ben?", "open", addressed=Addressed.NONE), to_others=True
        )
        assert await chat.deliver(to_ben) is Acceptance.CONTEXT
        await chat.until(1)
        assert chat.texts == ["Here I am."]
        assert "I only listen in this place" in await why(house, quiet)
        told = await why(house, stranger)
        assert "guests get no answer in this place" in told
        assert "place:open house (policy.yaml, line 5)" in told


async def test_an_edit_does_not_get_an_answer_out_of_a_quiet_place(home: Path):
    (home / "policy.yaml").write_text(POLICY)
    chat = FakeChat()
    async with running_app(home, ScriptedModel([]), chat):
        said = in_channel(chat, "ann", "hello", "quiet", addressed=Addressed.NONE)
        await chat.deliver(said)
        edit = replace(
            said,
            key=f"edit:{said.key}:1",
            kind="edit",
            text="@bot hello",
            addressed=Addressed.MENTION,
        )
        assert await chat.deliver(edit) is Acceptance.CONTEXT
        assert chat.texts == []


async def test_a_closed_tool_is_unnamed_and_refused_also_once_a_channel_is_public(home: Path):
    (home / "policy.yaml").write_text(POLICY)
    model = ScriptedModel(
        [
            call("tool_search", {"pattern": "manage_todos"}),
            call("get_capabilities", {"query": "todos"}),
            call("manage_todos", {"action": "list"}),
            call("calculate", {"expression": "1+1"}),
            say("I can't here."),
            call("manage_todos", {"action": "list"}),
            say("Still not."),
        ]
    )
    chat = FakeChat()
    async with running_app(home, model, chat) as house:
        private = in_channel(chat, "ann", "my todos?", "den", visibility=Visibility.PRIVATE)
        await chat.deliver(private)
        await chat.until(1)
        last = json.dumps(model.requests[4].messages)
        assert "manage_todos" not in json.dumps([model.requests[0].system, model.requests[0].tools])
        assert '\\"total\\": 0' in last
        assert last.count("tool blocked by policy") == 2
        told = await why(house, private)
        assert "refused by the rule place:no todos (policy.yaml, line 6)" in told
        assert (
            "refused by the rule policy:no sums for friends in private (policy.yaml, line 2)"
            in told
        )
        chat.posts.clear()
        await chat.deliver(in_channel(chat, "ann", "and now?", "den", visibility=Visibility.PUBLIC))
        await chat.until(1)
        assert "tool blocked by policy" in json.dumps(model.requests[-1].messages[-1])


async def test_another_agent_answers_where_the_place_says_so(home: Path):
    (home / "policy.yaml").write_text(POLICY)
    (home / "prompts" / "agents").mkdir(parents=True)
    (home / "prompts" / "agents" / "helper.md").write_text(
        "---\ndescription: Helps.\nspecialist: false\n---\nYou are the helper.\n"
    )
    model, chat = ScriptedModel([say("Helper here."), say("Assistant here.")]), FakeChat()
    async with running_app(home, model, chat):
        await chat.deliver(in_channel(chat, "ann", "hello", "helpers"))
        await chat.until(1)
        await chat.deliver(in_channel(chat, "ann", "hello", "elsewhere"))
        await chat.until(2)
    assert "You are the helper." in str(model.requests[0].system)
    assert "You are the helper." not in str(model.requests[1].system)


async def test_nothing_is_learned_where_the_place_says_so(home: Path):
    (home / "policy.yaml").write_text(POLICY)
    use = [
        call("tool_search", {"query": "sums"}),
        call("calculate", {"expression": "3 * 4"}),
        say("Twelve."),
    ]
    model, chat = ScriptedModel([*use, *use]), FakeChat()
    async with running_app(home, model, chat) as house:
        await house.posts_after(
            chat.deliver(in_channel(chat, "ann", "how many oncologists?", "forgetful"))
        )
        assert await house.rows("SELECT * FROM tool_requests") == []


async def test_a_places_budget_holds_for_its_channel_alone(home: Path):
    (home / "policy.yaml").write_text(POLICY)
    sums = [
        call("tool_search", {"pattern": "calculate"}),
        call("calculate", {"expression": "1+1"}),
        say("Done."),
    ]
    model, chat = ScriptedModel([*sums, *sums]), FakeChat()
    async with running_app(home, model, chat) as house:
        await house.posts_after(chat.deliver(in_channel(chat, "ann", "one and one?", "frugal")))
        assert "budget" in json.dumps(model.requests[2].messages[-1])
        await house.posts_after(chat.deliver(in_channel(chat, "ann", "one and one?", "elsewhere")))
        assert "budget" not in json.dumps(model.requests[-1].messages[-1])


async def test_rights_names_each_rights_source_and_nothing_the_role_lacks(home: Path):
    (home / "policy.yaml").write_text(POLICY)
    chat = FakeChat()
    async with running_app(home, ScriptedModel([]), chat) as house:
        mine = await house.command("ann", "rights")
        assert "Ann (`ann`) is Friend: contacts.yaml, line 1." in mine
        assert (
            "- manage_todos: yes, open to everyone (prompts/tools/shared/manage_todos.md)" in mine
        )
        assert "- agent_reviewer: yes, open to Business, Friend, Partner, MasterAdmin" in mine
        assert "agent_reviewer" not in await house.command("gus", "rights")
        assert "pm_shell" not in mine
        assert "there is no such tool" in await house.command("ann", "rights", "pm_shell")
        chat.locale = "fr"
        french = await house.command("ann", "rights", "manage_todos")
        assert french.splitlines()[0] == "Ann (`ann`) est Friend : contacts.yaml, ligne 1."
        assert "- agent : assistant (par défaut)" in french
        assert "- manage_todos : oui, ouvert à tous (prompts/tools/shared/" in french
        chat.locale = "en"
        owners = await house.command("owner", "rights", "pm_shell")
        assert "- pm_shell: no, another agent's tool (folder subagents)" in owners


REFUSED = {
    ("tools", ""): "Deciding about tools is for a MasterAdmin.",
    ("tools", "approve x"): "Deciding about tools is for a MasterAdmin.",
    ("booking", ""): "Booking pages are for members.",
    ("booking", "on"): "Booking pages are for members.",
    ("pair", "pabcdefgh friend"): "Only a MasterAdmin can decide this.",
    ("takeover", "gus gil"): "Only a MasterAdmin can decide this.",
    ("share", "Hello there"): "Only members of rank 2 and above can share something with all.",
}
"""What a guest reads, by command and arguments."""


async def test_a_command_that_guests_do_not_find_refuses_them(home: Path):
    know(home, gus="Guest")
    async with running_app(home, ScriptedModel([])) as house:
        hidden = {
            one.name for one in house.app.commands.built_in if one.listed_from is not Role.GUEST
        }
        assert {name for name, _ in REFUSED} == hidden
        for (name, arguments), refused in REFUSED.items():
            said = await house.command("gus", name, arguments)
            assert said.startswith(refused), (name, arguments)
