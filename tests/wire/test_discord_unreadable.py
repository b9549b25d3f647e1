"""Objects that discord.py can't read: each is skipped, and all else is heard."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import Place
from bot.testing.discord_town import PATIENT, Town, town

LISTED = replace(PATIENT, guild_ready=0.3)
"""Servers are known before what was missed in them is read."""
Change: TypeAlias = Callable[[JsonObject], JsonObject]


def in_messages(made: Town, change: Change) -> None:
    """Every message that says `strange` is sent changed, in events and in histories."""

    def altered(what: str, data: Any) -> Any:
        if what.startswith("GET ") and what.endswith("/messages"):
            return [change(one) if "strange" in one["content"] else one for one in data]
        return change(data) if what == "MESSAGE_CREATE" and "strange" in data["content"] else data

    made.platform.alter = altered


def without(message: JsonObject, name: str) -> JsonObject:
    return {key: value for key, value in message.items() if key != name}


_COMMAND: JsonObject = {"id": "1", "type": 2, "authorizing_integration_owners": {}}
_THREAD: JsonObject = {
    "id": "77",
    "type": 11,
    "name": "t",
    "guild_id": "1",
    "owner_id": "1",
    "member_count": 1,
}
HARMLESS: dict[str, Change] = {
    "interaction without user": lambda message: {**message, "interaction_metadata": _COMMAND},
    "thread without parent": lambda message: {**message, "thread": _THREAD},
    "poll without question": lambda message: {**message, "poll": {}},
    "embed of a new kind": lambda message: {
        **message,
        "embeds": [{"fields": None, "timestamp": "?"}],
    },
    "component of a new kind": lambda message: {
        **message,
        "components": [{"type": 1, "components": [7]}],
    },
    "attachment without name": lambda message: {**message, "attachments": [{"id": "5"}]},
    "sticker without format": lambda message: {
        **message,
        "sticker_items": [{"id": "5", "name": "wave"}],
    },
    "mention without name": lambda message: {**message, "mentions": [{"id": "5"}]},
    "mentions that are null": lambda message: {**message, "mentions": None, "attachments": None},
    "member without roles": lambda message: {**message, "member": {"nick": None}},
    "reference to nothing": lambda message: {
        **message,
        "message_reference": {},
        "referenced_message": {"id": "5"},
    },
    "snapshot without content": lambda message: {
        **message,
        "message_snapshots": [{"message": {"type": 0}}],
    },
}
FATAL: dict[str, Change] = {
    "no author": lambda message: without(message, "author"),
    "no id": lambda message: without(message, "id"),
    "an author without id": lambda message: {**message, "author": {"username": "x"}},
    "content of another kind": lambda message: {**message, "content": {"strange": 1}},
}


@pytest.mark.parametrize("change", HARMLESS.values(), ids=[*HARMLESS])
@pytest.mark.parametrize("live", [True, False], ids=["live", "missed"])
async def test_unneeded_parts_of_a_message_may_be_unreadable(change: Change, live: bool):
    async with town(pace=LISTED) as made:
        await say(made, change, live=live)
        await made.heard(3)
        assert sorted(made.inbox.texts) == [
            "after",
            "before",
            "strange",
        ]  # asking for a member takes its time
        assert made.failures == []


@pytest.mark.parametrize("change", FATAL.values(), ids=[*FATAL])
@pytest.mark.parametrize("live", [True, False], ids=["live", "missed"])
async def test_an_unreadable_message_is_skipped_and_counted(
    change: Change, live: bool, caplog: pytest.LogCaptureFixture
):
    async with town(pace=LISTED) as made:
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
    gateway = made.platform.gateway
    if not live:
        gateway.refuse_resume = True
        gateway.hold()
    made.ann.say(made.general, "strange", mention=True)
    made.ann.say(made.general, "after", mention=True)
    if not live:
        gateway._held = None  # lost for ever
        gateway.abort()
    await made.platform.until(lambda: "after" in made.inbox.texts)


async def test_a_command_notice_without_a_user_does_not_block_the_channel():
    async with town(pace=LISTED) as made:
        await made.asked("before")
        notice: JsonObject = {"type": 20, "interaction_metadata": _COMMAND}
        in_messages(made, lambda message: {**message, **notice})
        made.platform.gateway.refuse_resume = True
        made.ann.say(made.general, "strange")
        for text in ("one", "two"):  # each new session reads the channel anew
            made.platform.gateway.abort()
            made.ann.say(made.general, text, mention=True)
            await made.platform.until(lambda text=text: text in made.inbox.texts)
        assert made.inbox.texts == ["before", "one", "two"]


SPOILED: dict[str, Change] = {
    "a channel": lambda guild: {**guild, "channels": [{"type": 0}, *guild["channels"]]},
    "a thread without parent": lambda guild: {
        **guild,
        "threads": [{"id": "8", "type": 11, "guild_id": guild["id"]}],
    },
    "a role": lambda guild: {**guild, "roles": [{"name": "x"}, *guild["roles"]]},
    "a member": lambda guild: {**guild, "members": [{}]},
    "null lists": lambda guild: {**guild, "threads": None, "voice_states": None, "presences": None},
    "a stage": lambda guild: {**guild, "stage_instances": [{}]},
}


@pytest.mark.parametrize("change", SPOILED.values(), ids=[*SPOILED])
async def test_a_server_with_one_unreadable_part_is_served_and_caught_up_with(
    change: Change,
):
    async with town(pace=LISTED) as made:
        await made.asked("before")
        made.platform.alter = lambda what, data: change(data) if what == "GUILD_CREATE" else data
        gateway = made.platform.gateway
        gateway.refuse_resume = True
        gateway.hold()
        made.ann.say(made.general, "missed", mention=True)
        gateway._held = None  # lost for ever
        gateway.abort()
        message = await made.heard(2)
        assert (message.text, message.conversation.place) == ("missed", Place.THREAD)
        assert message.sender.platform_roles == (str(made.team.id),)
        assert made.failures == []


async def test_an_interaction_with_unreadable_surroundings_is_answered():
    async with town(pace=LISTED) as made:
        strange: JsonObject = {
            "entitlements": [{}],
            "channel": {"type": 0, "id": "9"},
        }
        made.platform.alter = lambda what, data: (
            data | strange if what == "INTERACTION_CREATE" else data
        )
        made.ann.slash(made.general, "status")
        message = await made.heard()
        assert (message.text, message.sender.name, made.failures) == ("/status", "Ann", [])


async def test_members_commands_and_channels_that_cannot_be_read_spoil_nothing():
    async with town(pace=LISTED) as made:
        await made.asked("before")
        gateway = made.platform.gateway

        def altered(what: str, data: Any) -> Any:
            if "/members/" in what:
                return {"user": None}
            return (
                [{"type": 1}, None, *data]
                if what.endswith("/commands") and what.startswith("GET")
                else data
            )

        made.platform.alter = altered
        gateway.refuse_resume = True
        gateway.hold()
        made.ann.say(made.general, "missed", mention=True)
        gateway._held = None  # lost for ever
        gateway.abort()
        message = await made.heard(2)
        assert (message.text, message.sender.platform_roles) == ("missed", ())
        assert made.chat.skipped() == 1


async def test_a_send_is_found_beside_strange_messages():
    async with town(pace=LISTED) as made:
        message = await made.asked()
        receipt = await made.answer(message, "done")
        strange = [None, {"id": "x"}, {"id": "7"}, {"id": "8", "author": None, "content": None}]
        made.platform.alter = lambda what, data: (
            [*strange, *data] if what.endswith("/messages") and isinstance(data, list) else data
        )
        found = await made.chat.find_sent(message.reply_to, "t1/send:answer")
        assert found is not None
        assert found.message_ids == receipt.message_ids
