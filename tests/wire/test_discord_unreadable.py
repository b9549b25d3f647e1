"""Objects that discord.py can't read: each is skipped, and all else is heard."""

from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import Place
from bot.testing.discord_town import PATIENT, Town, town

LISTED = replace(PATIENT, guild_ready=0.3)
"""Servers are known before what was missed in them is read."""


@pytest.fixture
async def made() -> AsyncIterator[Town]:
    async with town(pace=LISTED) as made:
        yield made


Change: TypeAlias = Callable[[JsonObject], JsonObject]


def in_messages(made: Town, change: Change) -> None:
    """Every message that says `strange` is sent changed, in events and in histories."""

    def altered(what: str, data: Any) -> Any:
        if what.startswith("GET ") and what.endswith("/messages"):
            return [change(one) if "strange" in one["content"] else one for one in data]
        return change(data) if what == "MESSAGE_CREATE" and "strange" in data["content"] else data

    made.platform.alter = altered


def having(**parts: Any) -> Change:
    return lambda whole: {**whole, **parts}


def without(name: str) -> Change:
    return lambda whole: {key: value for key, value in whole.items() if key != name}


_COMMAND: JsonObject = {"id": "1", "type": 2, "authorizing_integration_owners": {}}
_THREAD: JsonObject = {"id": "77", "type": 11, "name": "t", "guild_id": "1", "owner_id": "1"}
HARMLESS: dict[str, Change] = {
    "interaction without user": having(interaction_metadata=_COMMAND),
    "thread without parent": having(thread={**_THREAD, "member_count": 1}),
    "poll without question": having(poll={}),
    "embed of a new kind": having(embeds=[{"fields": None, "timestamp": "?"}]),
    "component of a new kind": having(components=[{"type": 1, "components": [7]}]),
    "attachment without name": having(attachments=[{"id": "5"}]),
    "sticker without format": having(sticker_items=[{"id": "5", "name": "wave"}]),
    "mention without name": having(mentions=[{"id": "5"}]),
    "mentions that are null": having(mentions=None, attachments=None),
    "member without roles": having(member={"nick": None}),
    "reference to nothing": having(message_reference={}, referenced_message={"id": "5"}),
    "snapshot without content": having(message_snapshots=[{"message": {"type": 0}}]),
}
FATAL: dict[str, Change] = {
    "no author": without("author"),
    "no id": without("id"),
    "an author without id": having(author={"username": "x"}),
    "content of another kind": having(content={"strange": 1}),
}


@pytest.mark.parametrize("change", HARMLESS.values(), ids=[*HARMLESS])
@pytest.mark.parametrize("live", [True, False], ids=["live", "missed"])
async def test_unneeded_parts_of_a_message_may_be_unreadable(
    made: Town, change: Change, live: bool
):
    await say(made, change, live=live)
    await made.heard(3)
    # Asking for a member takes its time.
    assert sorted(made.inbox.texts) == ["after", "before", "strange"]
    assert made.failures == []


@pytest.mark.parametrize("change", FATAL.values(), ids=[*FATAL])
@pytest.mark.parametrize("live", [True, False], ids=["live", "missed"])
async def test_an_unreadable_message_is_skipped_and_counted(
    made: Town, change: Change, live: bool, caplog: pytest.LogCaptureFixture
):
    await say(made, change, live=live)
    assert made.inbox.texts == ["before", "after"]
    assert made.failures == []
    assert made.chat.skipped() > 0
    assert "can't be read, skipped" in caplog.text
    assert "strange" not in caplog.text


async def say(made: Town, change: Change, *, live: bool) -> None:
    """A normal, a strange and a normal message; the last two in a lost session unless `live`."""
    await made.asked("before")
    in_messages(made, change)
    with nullcontext() if live else made.gap():
        made.ann.say(made.general, "strange", mention=True)
        made.ann.say(made.general, "after", mention=True)
    await made.platform.until(lambda: "after" in made.inbox.texts)


async def test_an_answer_to_a_command_that_names_no_user_is_read_and_does_not_block_the_channel(
    made: Town,
):
    await made.asked("before")
    in_messages(made, having(type=20, interaction_metadata=_COMMAND))
    made.platform.gateway.refuse_resume = True
    made.ann.say(made.general, "strange")
    for text in ("one", "two"):  # each new session reads the channel anew
        made.platform.gateway.abort()
        made.ann.say(made.general, text, mention=True)
        await made.platform.until(lambda text=text: text in made.inbox.texts)
    assert made.inbox.texts == ["before", "strange", "one", "two"]


SPOILED: dict[str, Change] = {
    "a channel": lambda guild: {**guild, "channels": [{"type": 0}, *guild["channels"]]},
    "a thread without parent": lambda guild: {
        **guild,
        "threads": [{"id": "8", "type": 11, "guild_id": guild["id"]}],
    },
    "a role": lambda guild: {**guild, "roles": [{"name": "x"}, *guild["roles"]]},
    "a member": having(members=[{}]),
    "null lists": having(threads=None, voice_states=None, presences=None),
    "a stage": having(stage_instances=[{}]),
}


@pytest.mark.parametrize("change", SPOILED.values(), ids=[*SPOILED])
async def test_a_server_with_one_unreadable_part_is_served_and_caught_up_with(
    made: Town, change: Change
):
    await made.asked("before")
    made.platform.alter = lambda what, data: change(data) if what == "GUILD_CREATE" else data
    with made.gap():
        made.ann.say(made.general, "missed", mention=True)
    message = await made.heard(2)
    assert (message.text, message.conversation.place) == ("missed", Place.THREAD)
    assert message.sender.platform_roles == (str(made.team.id),)
    assert made.failures == []


async def test_an_interaction_with_unreadable_surroundings_is_answered(made: Town):
    strange: JsonObject = {"entitlements": [{}], "channel": {"type": 0, "id": "9"}}
    made.platform.alter = lambda what, data: (
        data | strange if what == "INTERACTION_CREATE" else data
    )
    made.ann.slash(made.general, "status")
    message = await made.heard()
    assert (message.text, message.sender.name, made.failures) == ("/status", "Ann", [])


async def test_members_commands_and_channels_that_cannot_be_read_spoil_nothing(made: Town):
    await made.asked("before")

    def altered(what: str, data: Any) -> Any:
        if "/members/" in what:
            return {"user": None}
        if what.endswith("/commands") and what.startswith("GET"):
            return [{"type": 1}, None, *data]
        return data

    made.platform.alter = altered
    with made.gap():
        made.ann.say(made.general, "missed", mention=True)
    message = await made.heard(2)
    assert (message.text, message.sender.platform_roles) == ("missed", ())
    assert made.chat.skipped() == 1


async def test_a_send_is_found_beside_strange_messages(made: Town):
    message = await made.asked()
    receipt = await made.answer(message, "done")
    strange = [None, {"id": "x"}, {"id": "7"}, {"id": "8", "author": None, "content": None}]
    made.platform.alter = lambda what, data: (
        [*strange, *data] if what.endswith("/messages") and isinstance(data, list) else data
    )
    found = await made.found(message)
    assert found is not None
    assert found.message_ids == receipt.message_ids
