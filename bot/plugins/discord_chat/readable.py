"""The input for discord.py: only readable parts that are in use.

discord.py refuses a whole object if any part of it is unexpected, such as the interaction that a
message answers. Most of these parts are never used here.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from bot.plugin.payloads import (
    JsonObject,
    as_objects,
    number_in,
    object_in,
    objects_in,
    text_in,
)
from bot.plugins.discord_chat.frames import LOADING, words_of_message

WRITTEN = frozenset({0, 19, 20, 23})
"""Types of messages that are written: alone, as a reply, or by an app that somebody called."""

_PARTS = (
    "attachments",
    "sticker_items",
    "message_snapshots",
    "mentions",
    "mention_roles",
    "message_reference",
    "referenced_message",
    "member",
    "poll",
)
"""Optional parts of a message, each dropped by itself."""
_MESSAGE = frozenset(
    {
        "id",
        "type",
        "channel_id",
        "guild_id",
        "webhook_id",
        "author",
        "content",
        "timestamp",
        "edited_timestamp",
        "flags",
        "mention_everyone",
        *_PARTS,
    }
)
_NOBODY: JsonObject = {"mentions": [], "mention_roles": []}
"""Parts that discord.py's messages lack if they are not sent."""
_INTERACTION = frozenset(
    {
        "id",
        "type",
        "data",
        "token",
        "guild_id",
        "channel_id",
        "application_id",
        "member",
        "user",
        "context",
        "authorizing_integration_owners",
        "locale",
    }
)
_GUILD = frozenset({"id", "name", "owner_id", "unavailable", "member_count"})


def is_written(raw: Mapping[str, Any]) -> bool:
    """Whether somebody wrote this message; other types are notices of Discord."""
    return raw.get("type") in WRITTEN and not is_promised(raw)


def is_promised(raw: Mapping[str, Any]) -> bool:
    """Whether it is an app's answer that is still to come."""
    return bool(number_in(raw, "flags") & LOADING)


def pruned(raw: JsonObject) -> JsonObject:
    """A message without the parts that this adapter ignores."""
    kept = _NOBODY | {name: value for name, value in raw.items() if name in _MESSAGE}
    if isinstance(raw.get("content"), str):
        kept["content"] = words_of_message(raw)
    if isinstance(kept.get("referenced_message"), dict):
        kept["referenced_message"] = pruned(object_in(kept, "referenced_message"))
    if "message_snapshots" in kept:
        kept["message_snapshots"] = [
            _snapshot(one) for one in objects_in(kept, "message_snapshots")
        ]
    return kept


def _snapshot(raw: JsonObject) -> JsonObject:
    message: JsonObject = {"edited_timestamp": None, "attachments": [], **object_in(raw, "message")}
    message["content"] = words_of_message(message)
    return {"message": {**message, "embeds": [], "components": []}}


def sifted(raw: JsonObject, read: Callable[[JsonObject], object]) -> JsonObject:
    """A message with the parts that `read` accepts.

    Raises what `read` raises for the message itself.
    """
    made = {name: value for name, value in raw.items() if name not in _PARTS} | _NOBODY
    read(made)
    for name in _PARTS:
        value = raw.get(name)
        if isinstance(value, list):
            made[name] = [
                item for item in cast("list[Any]", value) if _is_read(read, {**made, name: [item]})
            ]
        elif name in raw and _is_read(read, {**made, name: value}):
            made[name] = value
    return made


def _is_read(read: Callable[[JsonObject], object], data: JsonObject) -> bool:
    try:
        read(data)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it is left out
        return False
    return True


def bare_interaction(raw: JsonObject) -> JsonObject:
    """An interaction with the minimum of parts."""
    kept: JsonObject = {"version": 1, "attachment_size_limit": 0}
    kept |= {name: value for name, value in raw.items() if name in _INTERACTION}
    message = object_in(raw, "message")
    if text_in(message, "id"):
        named = {"id": message["id"], "type": 0, "content": ""}
        reference = text_in(object_in(message, "message_reference"), "message_id")
        place = text_in(raw, "channel_id")
        pointer = {"message_reference": {"message_id": reference, "channel_id": place}}
        kept["message"] = named | (pointer if reference else {})
    return kept


def bare_guild(raw: JsonObject, me: str) -> JsonObject:
    """A server without lists; of its members only the bot."""
    kept = {name: value for name, value in raw.items() if name in _GUILD}
    own = [one for one in objects_in(raw, "members") if text_in(object_in(one, "user"), "id") == me]
    return kept | {"members": own}


def parts_of_guild(raw: JsonObject) -> list[tuple[str, JsonObject]]:
    """The content of a server's lists, as the events that announce each item."""
    id_ = {"guild_id": raw.get("id")}
    return [
        *(("GUILD_ROLE_CREATE", {**id_, "role": role}) for role in objects_in(raw, "roles")),
        *(("CHANNEL_CREATE", {**channel, **id_}) for channel in objects_in(raw, "channels")),
        *(("THREAD_CREATE", {**thread, **id_}) for thread in objects_in(raw, "threads")),
    ]


def with_readable_guilds(raw: JsonObject) -> JsonObject:
    """The first event of a session, without servers that have no id."""
    return {
        **raw,
        "guilds": [one for one in objects_in(raw, "guilds") if text_in(one, "id").isdigit()],
    }


def with_ids(page: object) -> list[tuple[int, JsonObject]]:
    """The messages of a history page by their ids; messages without an id are left out."""
    named = [(text_in(raw, "id"), raw) for raw in as_objects(page)]
    return [
        (int(id_), raw) for id_, raw in named if id_.isascii() and id_.isdigit() and len(id_) < 20
    ]
