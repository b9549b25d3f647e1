"""Files that people get: written, attached, or of a project."""

import json
from pathlib import Path

from bot.domain.messages import Attachment, OutgoingMessage, Place, Visibility
from bot.domain.models import ModelReply
from bot.errors import DeliveryError
from bot.files.projects.folders import ProjectFolder
from bot.storage.blobs import Blobs
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import know
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say

PLAN = "/documents/work/plan.md"
WRITTEN = call("write_file", {"path": PLAN, "content": "# The plan\n"})


def town(home: Path) -> FakeChat:
    know(home, ann="Friend", ben="Friend")
    chat = FakeChat()
    chat.readers.of = {"garden": {"ann"}}
    return chat


def hand(**arguments: str) -> ModelReply:
    return call("send", {"text": "Here it is.", "file": PLAN, **arguments})


def told(model: ScriptedModel, number: int = -1) -> str:
    return json.dumps(model.requests[number].messages[-2:])


async def handed(home: Path, chat: FakeChat, where: str = "dm-ann") -> list[tuple[str, bytes]]:
    """Names and bytes of the files that were posted there."""
    blobs = Blobs(home / "data" / "blobs")
    return [
        (file.name, await blobs.get(file.blob) or b"")
        for post in chat.posts
        if post.message.target.conversation.id == where
        for file in post.message.files
    ]


async def test_a_file_that_the_model_wrote_is_posted_as_a_file(tmp_path: Path):
    chat = town(tmp_path)
    model = ScriptedModel([WRITTEN, hand(), say("Here it is.")])
    async with running_app(tmp_path, model, chat) as house:
        assert await house.ask("ann", "write the plan and give me the file") == "Here it is."
    assert await handed(tmp_path, chat) == [("plan.md", b"# The plan\n")]
    assert "sent, with plan.md as a file" in told(model)
    assert len(chat.posts) == 1  # the answer with the same words is not posted again


async def test_it_goes_to_a_channel_under_the_gate_of_text(tmp_path: Path):
    chat = town(tmp_path)
    model = ScriptedModel([WRITTEN, hand(to="#garden"), say("It waits.")])
    async with running_app(tmp_path, model, chat) as house:
        await chat.say("ann", "write the plan and show it to the others")
        await chat.until(2)
        card = chat.cards[0]
        assert PLAN in card.text
        assert not await handed(tmp_path, chat, "garden")
        model.add(say("Done."))
        yes = card.choices[0]
        await house.posts_after(chat.click("ann", yes.ref, yes.verb, yes.value))
        assert await handed(tmp_path, chat, "garden") == [("plan.md", b"# The plan\n")]
        model.add(hand(to="#garden"), say("Sent."))
        await house.ask("ann", "post the plan in #garden")
        assert len(await handed(tmp_path, chat, "garden")) == 2, told(model)


async def test_a_yes_does_not_send_another_text_than_the_one_asked_about(tmp_path: Path):
    chat = town(tmp_path)
    model = ScriptedModel([WRITTEN, hand(to="#garden"), say("It waits.")])
    async with app_with_clock(tmp_path, model, chat) as house:
        await chat.say("ann", "write the plan and show it to the others")
        await chat.until(2)
        card = chat.cards[0]
        await go(house, minutes=1)
        model.add(
            call("edit_file", {"path": PLAN, "old": "The", "new": "My secret"}), say("Changed.")
        )
        await house.ask("ann", "rename the plan to my secret plan")
        model.add(say("Not sent."))
        yes = card.choices[0]
        await house.posts_after(chat.click("ann", yes.ref, yes.verb, yes.value))
        assert not await handed(tmp_path, chat, "garden")
        assert "was changed after the question" in told(model)


async def private_file(house: Harness, model: ScriptedModel) -> None:
    model.add(WRITTEN, say("Written."))
    await house.ask("ann", "write the plan")


async def test_a_private_file_is_shown_neither_where_others_read_nor_to_anybody_else(
    tmp_path: Path,
):
    chat, model = town(tmp_path), ScriptedModel()
    garden = {"where": "garden", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    async with running_app(tmp_path, model, chat) as house:
        await private_file(house, model)
        model.add(hand(), say("Ask me in a DM."))
        await house.ask("ann", "show the plan", **garden)
        assert not await handed(tmp_path, chat, "garden")
        assert "is private and not shown here" in told(model)
        model.add(hand(), say("There is none."))
        await house.ask("ben", "give me the plan")
        assert not await handed(tmp_path, chat, "dm-ben")
        assert f"there is no file {PLAN}" in told(model)


async def test_a_file_that_may_not_be_read_is_not_sent(tmp_path: Path):
    chat, model = town(tmp_path), ScriptedModel()
    (tmp_path / "policy.yaml").write_text(
        "rules:\n  - name: shut\n    decision: deny\n    tools: [read_file]\n"
        "    arguments: {path: /documents/work/*}\n"
    )
    async with running_app(tmp_path, model, chat) as house:
        await private_file(house, model)
        for file in (PLAN, f" {PLAN} "):
            model.add(hand(file=file), say("I may not."))
            assert await house.ask("ann", "give me the plan") == "I may not."
            assert "tool blocked by policy" in told(model)
        assert not await handed(tmp_path, chat)


async def test_what_the_person_attached_can_be_handed_on(tmp_path: Path):
    chat = town(tmp_path)
    chat.files["f1"] = b"%PDF-1.7 \x00\xff"
    model = ScriptedModel(
        [call("send", {"text": "Look.", "file": "offer.pdf", "to": "#garden"}), say("Sent.")]
    )
    async with running_app(tmp_path, model, chat) as house:
        await house.tell(
            "ann",
            "post this in #garden",
            attachments=(Attachment("f1", "offer.pdf", "application/pdf", 11),),
        )
    assert await handed(tmp_path, chat, "garden") == [("offer.pdf", b"%PDF-1.7 \x00\xff")]


async def test_a_file_of_a_project_is_handed_over_byte_for_byte(tmp_path: Path):
    chat = town(tmp_path)
    page = b"\x89PNG\r\n\xff"
    ProjectFolder(tmp_path / "data" / "workspaces", "ann", "shop").write("logo.png", page)
    model = ScriptedModel(
        [call("send", {"text": "Here.", "file": "/projects/shop/logo.png"}), say("Done.")]
    )
    async with running_app(tmp_path, model, chat) as house:
        await house.ask("ann", "give me the logo of the shop")
    assert await handed(tmp_path, chat) == [("logo.png", page)], told(model)


async def test_a_file_that_is_not_there_is_named_with_what_there_is(tmp_path: Path):
    chat = town(tmp_path)
    model = ScriptedModel([call("send", {"text": "Look.", "file": "plan.md"}), say("Which?")])
    async with running_app(tmp_path, model, chat) as house:
        assert await house.ask("ann", "give me the plan") == "Which?"
        assert "nothing was sent. Give a whole path" in told(model)


async def test_a_file_that_waits_for_its_platform_comes_once_and_is_kept_until_then(tmp_path: Path):
    chat = town(tmp_path)
    down = DeliveryError("Discord does not answer", retryable=True)

    def refuse(message: OutgoingMessage) -> DeliveryError | None:
        return down if message.files else None

    chat.refuse = refuse
    model = ScriptedModel([WRITTEN, hand(), say("It is on its way.")])
    async with app_with_clock(tmp_path, model, chat) as house:
        await house.tell("ann", "write the plan and give me the file")
        for _ in range(3):
            await house.app.house.chats.attachments.sweep()
        chat.refuse = lambda _message: None
        await go(house, minutes=2)
        await chat.until(2)
        await house.until_idle()
    assert await handed(tmp_path, chat) == [("plan.md", b"# The plan\n")]
