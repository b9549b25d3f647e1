"""`send` with `to`: a channel the person may write in, or somebody named; else refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.domain.messages import Addressed, OutgoingMessage, Place, Visibility
from bot.errors import DeliveryError
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.passing_time import app_with_clock, go
from bot.testing.scripted_model import ScriptedModel, call, say


def town(home: Path, **roles: str) -> FakeChat:
    know(home, **roles)
    chat = FakeChat()
    chat.readers.of = {"garden": {"ann", "gus"}, "vault": {"ben"}}
    return chat


LUNCH = call("send", {"text": "Lunch!", "to": "#garden"})


def at(chat: FakeChat, conversation: str) -> list[str]:
    return [post.text for post in chat.posts if post.message.target.conversation.id == conversation]


def told(model: ScriptedModel) -> str:
    """The end of the last request: what the last call gave."""
    return json.dumps(model.requests[-1].messages[-2:])


async def test_a_named_channel_that_the_person_can_write_in_gets_the_post(tmp_path: Path):
    chat = town(tmp_path, ann="Friend", ben="Friend")
    model = ScriptedModel(
        [call("send", {"text": "Lunch is ready.", "to": "#garden"}), say("Told them.")]
    )
    async with running_app(tmp_path, model, chat) as house:
        await house.tell("ann", "tell #garden that lunch is ready")
        post = next(post for post in chat.posts if post.message.target.conversation.id == "garden")
        assert post.text == "From Ann: Lunch is ready."
        assert post.message.target.conversation.place is Place.CHANNEL
        assert chat.texts[-1] == "Told them."
        model.add(call("search", {"query": "lunch", "in": "#garden"}), say("There."))
        await house.ask("ann", "what was said in #garden?")
        assert "Lunch is ready" in told(model)


async def test_people_without_the_permission_and_guests_are_refused(tmp_path: Path):
    chat = town(tmp_path, ann="Friend", gus="Guest")
    model = ScriptedModel()
    async with running_app(tmp_path, model, chat) as house:
        for who, where in (("ann", "vault"), ("ann", "nowhere"), ("gus", "garden")):
            model.add(call("send", {"text": "hello", "to": f"#{where}"}), say("I can't."))
            assert await house.ask(who, f"say hello in #{where}") == "I can't."
            assert "nothing was posted" in told(model)
            assert ("they can invite you" in told(model)) == (who != "gus")
        assert {post.message.target.conversation.id for post in chat.posts} == {"dm-ann", "dm-gus"}


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("say hello to the others", "in no text that I read here"),
        ("should we say hello in #garden?", "in the words of who asks, but not as a plain order"),
    ],
)
async def test_a_target_that_the_person_did_not_name_waits_for_their_yes(
    tmp_path: Path, said: str, where: str
):
    chat = town(tmp_path, ann="Friend")
    model = ScriptedModel([call("send", {"text": "hello", "to": "#garden"}), say("It waits.")])
    async with running_app(tmp_path, model, chat) as house:
        await house.tell("ann", said)
        card = chat.cards[0]
        assert f"garden\n   {where}" in card.text
        assert not at(chat, "garden")
        model.add(say("Done."))
        await house.press("ann", card.choices[0])
        assert at(chat, "garden") == ["From Ann: hello"]


async def test_after_a_yes_it_is_known_what_others_said_meanwhile(tmp_path: Path):
    chat = town(tmp_path, ann="Friend", ben="Friend")
    model = ScriptedModel(
        [LUNCH, say("It waits."), say("I will tell her."), say("Done.")], strict=True
    )
    here = {"where": "general", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
    async with running_app(tmp_path, model, chat) as house:
        await house.tell("ann", "say to the others that lunch is ready", **here)
        await house.ask("ben", "lunch is late", **here)
        await house.press("ann", chat.cards[0].choices[0])
        await house.quiet()
        assert "[ben (ben)] lunch is late" in told(model)
        assert "While this message waited" not in told(model)


async def test_who_said_yes_waits_for_what_comes_of_it(tmp_path: Path):
    """Even if the message named nobody, so that its own turn may have ended silent."""
    chat = town(tmp_path, ann="Friend")
    silent = call("finish_task", {"answer": "Nothing.", "status": "silent"}, id="end")
    model = ScriptedModel([LUNCH, say("It waits."), silent, say("Done.")], strict=True)
    thread = {"where": "general", "place": Place.THREAD, "visibility": Visibility.PUBLIC}
    async with running_app(tmp_path, model, chat) as house:
        said = "say to the others that lunch is ready"
        await house.tell("ann", said, addressed=Addressed.FOLLOWED, **thread)
        await house.press("ann", chat.cards[0].choices[0])
        await house.quiet()
        assert "somebody waits for this answer" in told(model)


@pytest.mark.parametrize(
    ("role", "policy", "said", "why"),
    [
        pytest.param(
            "Friend",
            "places: [{name: quiet, where: 'channel:garden', tools: {deny: [send]}}]\n",
            "say hello in #garden",
            "rules of",
            id="where rules close it",
        ),
        pytest.param(
            "Guest",
            "",
            "say hello to the others",
            "a guest can't have anything posted elsewhere",
            id="for a guest",
        ),
    ],
)
async def test_nobody_is_asked_about_what_no_yes_could_send(
    tmp_path: Path, role: str, policy: str, said: str, why: str
):
    chat = town(tmp_path, ann=role)
    (tmp_path / "policy.yaml").write_text(policy)
    model = ScriptedModel([call("send", {"text": "hello", "to": "#garden"}), say("I can't.")])
    async with running_app(tmp_path, model, chat) as house:
        assert await house.ask("ann", said) == "I can't."
        assert why in told(model)
        assert not chat.cards
    (offered,) = [tool for tool in model.requests[0].tools if tool.get("name") == "send"]
    given = {"text", "file"} if role == "Guest" else {"text", "file", "to"}
    assert offered["input_schema"]["properties"].keys() == given


async def test_a_person_is_told_directly(tmp_path: Path):
    chat = town(tmp_path, ann="Friend", ben="Friend")
    model = ScriptedModel(
        [say("Hello."), call("send", {"text": "call me", "to": "Ben"}), say("Told.")]
    )
    async with running_app(tmp_path, model, chat) as house:
        await house.ask("ben", "hi")
        await house.tell("ann", "tell Ben to call me")
        assert at(chat, "dm-ben") == ["Hello.", "From Ann: call me"]
        model.add(call("search", {"query": "call", "in": "dm"}), say("There."))
        await house.ask("ben", "who wanted a call?")
        assert "From Ann" in told(model)


async def test_who_answers_what_they_were_told_is_understood(tmp_path: Path):
    chat = town(tmp_path, ann="Friend", ben="Friend")
    model = ScriptedModel(
        [say("Hello."), call("send", {"text": "call me", "to": "Ben"}), say("Told."), say("Good.")]
    )
    async with running_app(tmp_path, model, chat) as house:
        await house.ask("ben", "hi")
        await house.tell("ann", "tell Ben to call me")
        await house.ask("ben", "tomorrow then")
        assert "[you, to ben] From Ann: call me" in told(model)
        model.add(say("Yes."))
        await house.ask("ben", "thanks")
        assert "call me" not in told(model)


def broken_in(
    conversation: str, error: DeliveryError
) -> Callable[[OutgoingMessage], DeliveryError | None]:
    return lambda message: error if message.target.conversation.id == conversation else None


async def test_the_model_hears_a_platforms_refusal_and_its_answer_is_shown(tmp_path: Path):
    chat = town(tmp_path, ann="Friend")
    chat.refuse = broken_in("garden", DeliveryError("Missing Permissions", retryable=False))
    model = ScriptedModel([LUNCH, say("Lunch!")])
    async with running_app(tmp_path, model, chat) as house:
        assert await house.ask("ann", "tell #garden: Lunch!") == "Lunch!"
        assert "not posted, and not tried again: Missing Permissions" in told(model)
        assert at(chat, "garden") == []
        chat.refuse = lambda _message: None
        model.replace(LUNCH, say("Lunch!"))
        await house.tell("ann", "tell #garden: Lunch!")
        assert at(chat, "garden") == ["From Ann: Lunch!"]
        assert at(chat, "dm-ann") == ["Lunch!", "Lunch!"]


@pytest.mark.parametrize("comes", [True, False], ids=["it comes", "it never gets there"])
async def test_a_post_that_waits_for_its_platform_is_told_as_such_and_so_is_its_end(
    tmp_path: Path, comes: bool
):
    chat = town(tmp_path, ann="Friend")
    chat.refuse = broken_in("garden", DeliveryError("Discord does not answer", retryable=True))
    model = ScriptedModel([LUNCH, say("It is on its way.")])
    async with app_with_clock(tmp_path, model, chat) as house:
        assert await house.ask("ann", "tell #garden: Lunch!") == "It is on its way."
        assert "not posted yet: Discord does not answer" in told(model)
        gone = DeliveryError("the channel was deleted", retryable=False)
        chat.refuse = broken_in("nowhere" if comes else "garden", gone)
        await go(house, hours=1)
        await chat.until(2)
        assert at(chat, "garden") == (["From Ann: Lunch!"] if comes else [])
        lost = "What you had me post to garden could not be delivered"
        assert (lost in at(chat, "dm-ann")[-1]) is not comes


async def test_who_switched_messages_off_gets_none_until_they_switch_them_on(tmp_path: Path):
    chat = town(tmp_path, ann="Friend", ben="Friend")
    model = ScriptedModel([say("Hello.")])
    async with running_app(tmp_path, model, chat) as house:
        await house.ask("ben", "hi")
        assert (
            await house.command("ben", "remindme", "messages off")
            == "From now on nobody may have me send you a message."
        )
        assert "nobody may have me send you a message" in await house.command("ben", "remindme")
        model.add(call("send", {"text": "call me", "to": "Ben"}), say("He does not want that."))
        assert await house.ask("ann", "tell Ben to call me") == "He does not want that."
        assert "doesn't accept messages that others have me send; nothing was posted" in told(model)
        await house.command("ben", "remindme", "messages on")
        model.add(call("send", {"text": "call me", "to": "Ben"}), say("Told."))
        await house.ask("ann", "tell Ben to call me")
        assert "From Ann: call me" in at(chat, "dm-ben")


async def test_a_schedule_posts_at_home_at_once_and_elsewhere_after_a_yes(tmp_path: Path):
    chat = town(tmp_path, ann="Friend")
    hourly = {"name": "news", "prompt": "Post the news.", "cron": "0 * * * *"}
    model = ScriptedModel([call("schedule_task", hourly), say("I will.")])
    async with app_with_clock(tmp_path, model, chat) as house:
        await house.ask("ann", "post the news every hour")
        model.replace(
            call("send", {"text": "news!"}),
            call("send", {"text": "news!", "to": "#garden"}),
            say("Posted."),
        )
        await go(house, hours=1)
        assert "news!" in at(chat, "dm-ann")
        assert not at(chat, "garden")


async def test_the_platforms_own_names_find_it(tmp_path: Path):
    model = ScriptedModel([call("tool_search", {"pattern": "slack_*"}), say("There.")])
    async with running_app(tmp_path, model) as house:
        await house.ask("ann", "what is there for Slack?")
        assert '\\"send\\"' in told(model)
