"""The payloads that Slack sends to an app."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from bot.loopback.slack.method import HISTORY
from bot.loopback.slack.world import (
    APP,
    BOT_USER,
    TEAM,
    Channel,
    ChannelKind,
    Draft,
    Message,
    World,
)
from bot.plugin.models import JsonObject

MESSAGE_EVENTS = {
    ChannelKind.IM: "message.im",
    ChannelKind.MPIM: "message.mpim",
    ChannelKind.PUBLIC: "message.channels",
    ChannelKind.PRIVATE: "message.groups",
}
EVENT_SCOPES = {
    **{event: HISTORY[kind] for kind, event in MESSAGE_EVENTS.items()},
    "app_mention": "app_mentions:read",
    "agent_session_stopped": "assistant:write",
    "app_home_opened": "",
    "function_executed": "",
    "link_shared": "links:read",
    "reaction_added": "reactions:read",
    "user_change": "users:read",
}
"""Subscriptions that the platform knows, with the scope that each needs."""


class Events:
    """Builds the events of one workspace; `base` returns the platform's address, for file links."""

    def __init__(self, world: World, base: str) -> None:
        self._world = world
        self._base = base

    def wrap(self, event: JsonObject) -> JsonObject:
        """Wrap an event for delivery; a retry repeats the whole, event_id included."""
        return {
            "token": "verification",
            "team_id": TEAM,
            "api_app_id": APP,
            "type": "event_callback",
            "event": event,
            "event_id": self._world.next_id("Ev"),
            "event_time": int(self._world.clock.now().timestamp()),
            "authorizations": [{"team_id": TEAM, "user_id": BOT_USER, "is_bot": True}],
            "is_ext_shared_channel": self._is_shared(event),
        }

    def _is_shared(self, event: JsonObject) -> bool:
        item = event.get("item") or event
        channel = self._world.channels.get(str(item.get("channel") or ""))
        return channel is not None and channel.shared

    def message(self, message: Message, channel: Channel) -> JsonObject:
        event = message.as_json(self._base)
        event |= {"channel": channel.id, "channel_type": channel.kind.value, "event_ts": message.ts}
        if message.files:
            event["subtype"] = "file_share"
        if channel.shared:
            event["files"] = [
                {"id": one.id, "file_access": "check_file_info"} for one in message.files
            ]
        parent = self._world.message(channel.id, message.root)
        if parent is not None and parent is not message:
            event["parent_user_id"] = parent.user
        if channel.kind is ChannelKind.IM:
            event |= self._action_token()
        return event

    def mention(self, message: Message, channel: Channel) -> JsonObject:
        """Return the app_mention event: like the message event, but without the kind of channel."""
        event = self.message(message, channel)
        del event["channel_type"]
        event.pop("subtype", None)
        return {**event, "type": "app_mention", **self._action_token()}

    def _action_token(self) -> JsonObject:
        token = self._world.next_id("act")
        self._world.action_tokens.add(token)
        return {"assistant_thread": {"action_token": token}}

    def changed(self, message: Message, channel: Channel, before: str) -> JsonObject:
        old = {**message.as_json(self._base), "text": before}
        old.pop("edited", None)
        now = message.edited_ts or self._world.next_ts()
        return {
            "type": "message",
            "subtype": "message_changed",
            "channel": channel.id,
            "channel_type": channel.kind.value,
            "ts": now,
            "event_ts": now,
            "hidden": True,
            "message": message.as_json(self._base),
            "previous_message": old,
        }

    def deleted(self, message: Message, channel: Channel) -> JsonObject:
        now = self._world.next_ts()
        return {
            "type": "message",
            "subtype": "message_deleted",
            "channel": channel.id,
            "channel_type": channel.kind.value,
            "ts": now,
            "event_ts": now,
            "hidden": True,
            "deleted_ts": message.ts,
            "previous_message": message.as_json(self._base),
        }

    def reacted(self, message: Message, user: str, emoji: str) -> JsonObject:
        return {
            "type": "reaction_added",
            "user": user,
            "reaction": emoji,
            "item_user": message.user,
            "item": {"type": "message", "channel": message.channel, "ts": message.ts},
            "event_ts": self._world.next_ts(),
        }

    def link_shared(self, message: Message, channel: Channel, urls: list[str]) -> JsonObject:
        place = {"thread_ts": message.thread_ts} if message.thread_ts else {}
        return {
            "type": "link_shared",
            "channel": channel.id,
            "is_bot_user_member": BOT_USER in channel.members,
            "user": message.user,
            "message_ts": message.ts,
            "unfurl_id": f"{channel.id}.{message.ts}",
            "source": "conversations_history",
            "links": [{"domain": urlsplit(url).hostname, "url": url} for url in urls],
            "event_ts": message.ts,
            **place,
        }

    def link_written(self, draft: Draft, urls: Sequence[str]) -> JsonObject:
        """Links of a message that is being written; it stands in no channel."""
        now = self._world.next_ts()
        return {
            "type": "link_shared",
            "channel": "COMPOSER",
            "is_bot_user_member": True,
            "user": draft.user,
            "message_ts": draft.unfurl_id.removeprefix("COMPOSER-"),
            "unfurl_id": draft.unfurl_id,
            "source": "composer",
            "links": [{"domain": urlsplit(url).hostname, "url": url} for url in urls],
            "event_ts": now,
        }

    def stopped(
        self, channel: Channel, thread: str | None, user: str, streams: list[str]
    ) -> JsonObject:
        return {
            "type": "agent_session_stopped",
            "channel": channel.id,
            "thread_ts": thread,
            "user": user,
            "streaming_message_ts": streams,
            "event_ts": self._world.next_ts(),
        }

    def executed(self, step: str, run: str, inputs: JsonObject) -> JsonObject:
        return {
            "type": "function_executed",
            "function": {
                "id": f"Fn{step.upper()}",
                "callback_id": step,
                "title": step,
                "type": "app",
                "app_id": APP,
                "input_parameters": [],
                "output_parameters": [],
                "date_created": 0,
                "date_updated": 0,
                "date_deleted": 0,
            },
            "inputs": inputs,
            "function_execution_id": run,
            "workflow_execution_id": f"Wx{run}",
            "bot_access_token": "xwfp-house",
            "event_ts": self._world.next_ts(),
        }

    def home_opened(self, channel: Channel, user: str, tab: str) -> JsonObject:
        return {
            "type": "app_home_opened",
            "user": user,
            "channel": channel.id,
            "tab": tab,
            "event_ts": self._world.next_ts(),
        }

    def user_changed(self, user: str) -> JsonObject:
        now = self._world.next_ts()
        changed = self._world.members[user].as_changed(int(float(now)))
        return {
            "type": "user_change",
            "user": changed,
            "cache_ts": int(float(now)),
            "event_ts": now,
        }

    def _user(self, user: str) -> JsonObject:
        member = self._world.members[user]
        return {"id": user, "username": member.name, "team_id": member.team}

    def slash(
        self, channel: Channel, user: str, text: str, response_url: str, trigger: str
    ) -> JsonObject:
        return {
            "token": "verification",
            "team_id": self._world.members[user].team,
            "team_domain": "house",
            "channel_id": channel.id,
            "channel_name": "directmessage" if channel.kind is ChannelKind.IM else channel.name,
            "user_id": user,
            "user_name": self._world.members[user].name,
            "command": "/bellhop",
            "text": text,
            "api_app_id": APP,
            "is_enterprise_install": "false",
            "response_url": response_url,
            "trigger_id": trigger,
        }

    def shortcut(self, callback: str, user: str, trigger: str) -> JsonObject:
        return {
            "type": "shortcut",
            "callback_id": callback,
            "trigger_id": trigger,
            "user": self._user(user),
            "team": {"id": TEAM, "domain": "house"},
            "token": "verification",
            "action_ts": self._world.next_ts(),
        }

    def message_action(
        self, callback: str, message: Message, user: str, response_url: str, trigger: str
    ) -> JsonObject:
        return {
            **self.shortcut(callback, user, trigger),
            "type": "message_action",
            "response_url": response_url,
            "message_ts": message.ts,
            "channel": {"id": message.channel, "name": self._world.channels[message.channel].name},
            "message": message.as_json(self._base),
        }

    def submission(
        self, view: JsonObject, user: str, state: JsonObject, trigger: str
    ) -> JsonObject:
        shown = {key: value for key, value in view.items() if key != "user"}
        return {
            "type": "view_submission",
            "team": {"id": TEAM, "domain": "house"},
            "user": self._user(user),
            "api_app_id": APP,
            "token": "verification",
            "trigger_id": trigger,
            "view": {
                **shown,
                "hash": "1",
                "root_view_id": view["id"],
                "app_id": APP,
                "state": {"values": state},
            },
            "response_urls": [],
            "is_enterprise_install": False,
        }

    def home_action(
        self, view: JsonObject, user: str, chosen: JsonObject, trigger: str
    ) -> JsonObject:
        return {
            "type": "block_actions",
            "user": self._user(user),
            "api_app_id": APP,
            "token": "verification",
            "container": {"type": "view", "view_id": view["id"]},
            "trigger_id": trigger,
            "team": {"id": TEAM, "domain": "house"},
            "view": {**view, "app_id": APP, "state": {"values": {}}, "hash": "1"},
            "actions": [{**chosen, "action_ts": self._world.next_ts()}],
        }

    def action(
        self, message: Message, user: str, chosen: JsonObject, response_url: str, trigger: str
    ) -> JsonObject:
        container: JsonObject = {
            "type": "message",
            "message_ts": message.ts,
            "channel_id": message.channel,
            "is_ephemeral": message.only_for is not None,
        }
        if message.thread_ts:
            container["thread_ts"] = message.thread_ts
        return {
            "type": "block_actions",
            "user": self._user(user),
            "api_app_id": APP,
            "token": "verification",
            "container": container,
            "trigger_id": trigger,
            "team": {"id": TEAM, "domain": "house"},
            "channel": {"id": message.channel, "name": self._world.channels[message.channel].name},
            "message": message.as_json(self._base),
            "response_url": response_url,
            "actions": [{**chosen, "action_ts": self._world.next_ts()}],
        }
