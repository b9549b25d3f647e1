"""Slack through people's own accounts: what each can find and read there, and writing as them.

https://docs.slack.dev/reference/methods/search.messages and …/chat.postMessage
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bot.domain.json_types import JsonObject
from bot.testing.services.account_api import AccountApi, AccountCall, ApiRefusal
from bot.testing.services.slack_canvases import SlackCanvases
from bot.testing.services.slack_lists import StoredLists

_MOST_COUNT, _MOST_CHARS = 100, 40_000
_LIST_METHODS = {
    *("create", "access.set", "items.list", "items.create", "items.update", "items.delete"),
}
_CANVAS_SCOPES = {
    "canvases.getContent": "canvases:read",
    "canvases.sections.lookup": "canvases:read",
    "canvases.edit": "canvases:write",
    "canvases.create": "canvases:write",
    "canvases.access.set": "canvases:write",
    "conversations.canvases.create": "canvases:write",
}


@dataclass
class StoredChannel:
    """A channel and what was said in it."""

    name: str
    members: set[str]
    archived: bool = False
    messages: list[JsonObject] = field(default_factory=list[JsonObject])


def _fits(_method: str, _arguments: JsonObject) -> str:
    return ""


@dataclass
class SlackAccounts(AccountApi):
    """Slack: `channels` by id. An account finds messages only in channels it is a member of."""

    misfit: ClassVar[Callable[[str, JsonObject], str]] = staticmethod(_fits)
    """What of a call, by its method, contradicts Slack's types; tests set it."""

    channels: dict[str, StoredChannel] = field(default_factory=dict[str, StoredChannel])
    canvases: SlackCanvases = field(default_factory=SlackCanvases)
    lists: StoredLists = field(default_factory=StoredLists)

    def add_channel(self, name: str, *members: str, archived: bool = False) -> str:
        id_ = f"C{len(self.channels) + 1:09}"
        self.channels[id_] = StoredChannel(name, set(members), archived)
        return id_

    def add_message(self, channel: str, text: str, by: str = "octo") -> str:
        """Add a message; return the timestamp that identifies it."""
        messages = self.channels[channel].messages
        ts = f"{1_795_251_600 + len(messages)}.000100"
        link = f"https://team.slack.com/archives/{channel}/p{ts.replace('.', '')}"
        messages.append({"text": text, "username": by, "ts": ts, "permalink": link})
        return ts

    def respond(self, call: AccountCall) -> Any:
        if misfit := type(self).misfit(call.path[0], {**call.query, **call.body}):
            raise ApiRefusal(200, f"invalid_arguments {misfit}")
        match call.method, call.path:
            case "GET", ("search.messages",):
                return self._search(call)
            case "POST", ("chat.postMessage",):
                return self._post(call)
            case "GET", ("conversations.info",):
                return self._channel(call)
            case "GET", ("auth.test",):
                return {"ok": True, "url": "https://team.slack.com/", "team_id": "T000001"}
            case "GET", ("search.files",):
                return self._files(call)
            case "GET", ("files.info",):
                _require(call, "files:read")
                call.require_known("file")
                file = self.lists.info(call.query.get("file", ""), self._memberships(call.person))
                return {"ok": True, "file": file}
            case "POST", (method,) if method.startswith("slackLists."):
                return self._list(method.removeprefix("slackLists."), call)
            case "POST", (method,):
                return self._canvas(method, call)
            case _:
                raise ApiRefusal(200, "unknown_method")

    def _canvas(self, method: str, call: AccountCall) -> Any:
        scope = _CANVAS_SCOPES.get(method)
        if scope is None:
            raise ApiRefusal(200, "unknown_method")
        _require(call, scope)
        who = self._memberships(call.person)
        match method:
            case "canvases.getContent":
                return self.canvases.content(call, who)
            case "canvases.sections.lookup":
                return self.canvases.lookup(call, who)
            case "canvases.edit":
                return self.canvases.edit(call, who)
            case "canvases.access.set":
                return self.canvases.share(call, who, self._known(who))
            case _:
                in_channel = method == "conversations.canvases.create"
                return self.canvases.create(call, who, in_channel=in_channel)

    def _list(self, method: str, call: AccountCall) -> Any:
        if method not in _LIST_METHODS:
            raise ApiRefusal(200, "unknown_method")
        _require(call, "lists:read" if method == "items.list" else "lists:write")
        who = self._memberships(call.person)
        return self.lists.call(method, call, who, self._known(who))

    def _known(self, who: set[str]) -> set[str]:
        return who | {one for channel in self.channels.values() for one in channel.members}

    def _memberships(self, person: str) -> set[str]:
        """Return the person and the channels that they are in."""
        return {person, *(id_ for id_, one in self.channels.items() if person in one.members)}

    def _channel(self, call: AccountCall) -> Any:
        _require(call, "channels:read")
        call.require_known("channel", "include_locale", "include_num_members")
        id_ = call.query.get("channel", "")
        if id_ not in self._memberships(call.person) & self.channels.keys():
            raise ApiRefusal(200, "channel_not_found")
        own = [one for one, canvas in self.canvases.by_id.items() if canvas.channel == id_]
        properties = {"canvas": {"file_id": own[0], "is_empty": False}} if own else {}
        return {
            "ok": True,
            "channel": {"id": id_, "name": self.channels[id_].name, "properties": properties},
        }

    def _files(self, call: AccountCall) -> Any:
        _require(call, "search:read")
        call.require_known("query", "count", "sort", "sort_dir", "highlight", "page", "team_id")
        query = call.query.get("query", "")
        who = self._memberships(call.person)
        if "type:canvases" in query.split():
            found = self.canvases.found(query, who)
        elif "type:lists" in query.split():
            found = self.lists.found(query, who)
        else:
            raise ApiRefusal(200, "no_query")
        size = call.number("count", 20, _MOST_COUNT)
        return {
            "ok": True,
            "query": query,
            "files": {"total": len(found), "matches": found[:size]},
        }

    def refused(self, refusal: ApiRefusal) -> Any:
        return {"ok": False, "error": refusal.code}

    def _search(self, call: AccountCall) -> Any:
        _require(call, "search:read")
        call.require_known(
            "query", "count", "sort", "sort_dir", "highlight", "page", "cursor", "team_id"
        )
        words = call.query.get("query", "").casefold().split()
        if not words:
            raise ApiRefusal(200, "no_query")
        size = call.number("count", 20, _MOST_COUNT)
        found = [
            {**message, "channel": {"id": id_, "name": channel.name}}
            for id_, channel in self.channels.items()
            if call.person in channel.members
            for message in channel.messages
            if all(word in message["text"].casefold() for word in words)
        ]
        found.sort(key=lambda one: str(one["ts"]), reverse=True)
        return {
            "ok": True,
            "query": call.query["query"],
            "messages": {"total": len(found), "matches": found[:size]},
        }

    def _post(self, call: AccountCall) -> Any:
        _require(call, "chat:write")
        named = str(call.body.get("channel", "")).removeprefix("#")
        id_ = next((id_ for id_, one in self.channels.items() if named in {id_, one.name}), None)
        if id_ is None:
            raise ApiRefusal(200, "channel_not_found")
        channel = self.channels[id_]
        if call.person not in channel.members:
            raise ApiRefusal(200, "not_in_channel")
        if channel.archived:
            raise ApiRefusal(200, "is_archived")
        if not call.body.get("text"):
            raise ApiRefusal(200, "no_text")
        if len(call.body["text"]) > _MOST_CHARS:
            raise ApiRefusal(200, "msg_too_long")
        ts = self.add_message(id_, call.body["text"], call.person)
        channel.messages[-1]["unfurled"] = call.body.get("unfurl_links", True) or call.body.get(
            "unfurl_media", True
        )
        return {"ok": True, "channel": id_, "ts": ts, "message": {"text": call.body["text"]}}


def _require(call: AccountCall, scope: str) -> None:
    if scope not in call.scopes:
        raise ApiRefusal(200, "missing_scope")
