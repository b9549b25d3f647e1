"""Forms that take files, on Discord; where there are none, a message brings the files."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.chat import LiveReply
from bot.domain.messages import (
    Action,
    Addressed,
    Attachment,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    Receipt,
)
from bot.loopback.discord import Message
from bot.loopback.discord.faults import Fault
from bot.loopback.discord.interaction_routes import Interaction
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.discord_house import House, house
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from tests.thoroughness import tried

ASKS = call("ask_user_for_clarification", {"question": "Where is the lease?", "files": True})
LEASE = b"The rent is 900 euros."
HINT = "Attach the files with the button, or send them here with a message."


async def question_on_discord(made: House) -> Message:
    thread = await made.thread(made.ann.say(made.general, "check my lease", mention=True))
    return await made.platform.until(
        lambda: next((one for one in made.ann.sees(thread) if "Where is" in one.content), None)
    )


async def opened(made: House, used: Interaction) -> Interaction:
    await made.platform.until(lambda: used.modal)
    return used


async def test_a_question_for_files_on_discord_is_answered_by_its_form(home: Path):
    model = ScriptedModel([ASKS, say("It is 900.")], strict=True)
    async with house(home, model) as made:
        made.ann.user.locale = "fr"
        asked = await question_on_discord(made)
        assert HINT in asked.content
        form = await opened(made, made.ann.click(asked, "Attach files"))
        assert form.modal is not None
        assert form.modal["title"] == "Joindre des fichiers"
        with pytest.raises(LookupError, match="files takes 1 to 8 files"):
            made.ann.submit(form, note="no file")
        made.ann.submit(form, {"lease.txt": LEASE}, note="The new one.")
        await made.reads(made.ann, asked.channel, "It is 900.")
        assert made.platform.refusals == []
    answered = json.dumps(model.requests[1].messages)
    assert "The new one." in answered
    assert LEASE.decode() in answered


async def test_files_for_the_question_of_another_answer_nothing(home: Path):
    model = ScriptedModel([ASKS, say("It is 900.")], strict=True)
    async with house(home, model) as made:
        asked = await question_on_discord(made)
        form = await opened(made, made.ben.click(asked, "Attach files"))
        stolen = made.ben.submit(form, {"lease.txt": b"The rent is 1 euro."})
        told = await made.platform.until(lambda: [*stolen.follow_ups])
        assert told[0].content == "That question is for somebody else."
        assert told[0].only_for == made.ben.user.id
        form = await opened(made, made.ann.click(asked, "Attach files"))
        made.ann.submit(form, {"lease.txt": LEASE})
        await made.reads(made.ann, asked.channel, "It is 900.")
    assert "1 euro" not in json.dumps(model.requests[1].messages)


async def test_a_file_of_a_form_whose_link_has_expired_is_asked_for_again(home: Path):
    model = ScriptedModel([ASKS, say("Send it again.")], strict=True)
    async with house(home, model) as made:
        asked = await question_on_discord(made)
        form = await opened(made, made.ann.click(asked, "Attach files"))
        made.platform.faults.add(Fault("GET", r"/cdn/.*", status=404))
        made.ann.submit(form, {"lease.txt": LEASE})
        await made.reads(made.ann, asked.channel, "Send it again.")
    assert "they can send it as a message" in json.dumps(model.requests[1].messages)


async def test_a_question_about_a_message_takes_files_on_discord(home: Path):
    model = ScriptedModel([say("They differ.")], strict=True)
    async with house(home, model) as made:
        said = made.ben.say(made.general, "The rent is 800.")
        form = await opened(made, made.ann.choose(said, "Ask about this"))
        used = made.ann.submit(form, {"lease.txt": LEASE}, question="Is that so?")
        answer = await made.platform.until(lambda: used.response)
        await made.platform.until(lambda: answer.content == "They differ.")
        assert answer.only_for == made.ann.user.id
    request = json.dumps(model.requests[0].messages)
    assert all(part in request for part in ("Is that so?", "The rent is 800.", LEASE.decode()))


async def test_a_platform_without_such_forms_has_a_sentence_and_no_button(home: Path):
    chat = FakeChat("telegram")
    chat.files["lease"] = LEASE
    model = ScriptedModel([ASKS, say("It is 900.")], strict=True)
    async with running_app(home, model, chat) as made:
        told = await made.ask("ann", "check my lease")
        assert told == "Where is the lease?\n\nSend the files here, with a message."
        assert not any(post.message.choices for post in chat.posts)
        lease = Attachment("lease", "lease.txt", "text/plain", len(LEASE))
        assert await made.ask("ann", "", attachments=(lease,)) == "It is 900."
    assert LEASE.decode() in json.dumps(model.requests[1].messages)


class HastyChat(FakeChat):
    """Ann hands files in as soon as she sees the question, before the send returns."""

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        receipt = await super().send(message, key, live)
        for choice in message.choices:
            clicked = replace(
                self.message("ann", ""),
                kind=MessageKind.ACTION,
                action=Action(choice.ref, choice.verb, "The new one."),
                attachments=(Attachment("lease", "lease.txt", "text/plain", len(LEASE)),),
                addressed=Addressed.COMMAND,
            )
            await self.deliver(clicked)
        return receipt


async def test_files_that_come_before_the_question_is_on_record_answer_it(home: Path):
    chat = HastyChat()
    chat.files["lease"] = LEASE
    model = ScriptedModel([ASKS, say("It is 900.")], strict=True)
    async with running_app(home, model, chat) as made:
        await made.posts_after(made.chat.deliver(made.chat.message("ann", "check my lease")))
        assert [post.text for post in chat.posts][-1] == "It is 900."
    answered = json.dumps(model.requests[1].messages)
    assert "The new one." in answered
    assert LEASE.decode() in answered


def handed_in(chat: FakeChat, who: str, ref: str, verb: str, key: str) -> IncomingMessage:
    """A form of a question that somebody fills in, with the lease."""
    return replace(
        chat.message(who, ""),
        key=key,
        kind=MessageKind.ACTION,
        action=Action(ref, verb, "The new one."),
        attachments=(Attachment("lease", "lease.txt", "text/plain", len(LEASE)),),
        addressed=Addressed.COMMAND,
    )


@pytest.mark.thorough
async def test_a_crash_at_any_write_takes_a_form_with_files_once(
    tmp_path_factory: pytest.TempPathFactory,
):
    """Ann hands the form in twice, as with two windows open, and Ben hands one in beside her."""

    async def ask(life: AppLife) -> None:
        await life.chat.say("ann", "do:ask", key="k1")

    async def hand_in(life: AppLife) -> None:
        choice = next(post.message for post in life.chat.posts if post.message.choices).choices[0]
        for key, who in (("k2", "ben"), ("k3", "ann"), ("k4", "ann")):
            await life.chat.deliver(handed_in(life.chat, who, choice.ref, choice.verb, key))

    for write, moment in tried(itertools.product(range(1, 200), Moment)):
        chat = FakeChat()
        chat.files["lease"] = LEASE
        lives = AppLives(tmp_path_factory.mktemp("home"), chat)
        model = PlanModel({"ask": [ASKS, say("It is 900.")]})
        struck = await lives.play(model, [ask, hand_in], CrashPoint(write, moment))
        answers = [post.text for post in chat.posts].count("It is 900.")
        assert answers == 1, (write, moment, chat.texts)
        assert chat.texts.count("That question is for somebody else.") == 1, (write, moment)
        if not struck:
            break
