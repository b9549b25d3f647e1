"""The people of the workspace, who write, click and upload."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.loopback.slack.delivery import Delivery
from bot.loopback.slack.events import Events
from bot.loopback.slack.world import (
    BOT_USER,
    CANVAS,
    TEAM,
    Channel,
    ChannelKind,
    Draft,
    Member,
    Message,
    StoredFile,
    World,
)
from bot.plugin.models import JsonObject

_ADDRESS = re.compile(
    r"(?<![<|\w@./:+-])(?:(https?://[^\s<>|]*[^\s<>|.,;:!?)'\"])|([\w.+-]+@[\w-]+(?:\.[\w-]+)+))"
)


@dataclass(frozen=True)
class Surroundings:
    """The parts of the platform that people act on."""

    world: World
    delivery: Delivery
    events: Callable[[], Events]
    announce: Callable[[Message], None]
    changed: Callable[[Message, str], None]
    removed: Callable[[Message], None]
    event: Callable[[str, JsonObject], None]
    """Send an event of this subscription, if the app has it."""
    reply_url: Callable[[str, str, Message | None], str]
    shortcuts: Callable[[], Sequence[JsonObject]]
    """Those of the app's manifest."""


class Person:
    """One member of the workspace.

    Every action is sent to the app in the background; `settled` waits for all of them.
    """

    def __init__(self, member: Member, around: Surroundings) -> None:
        self.id = member.id
        self.name = member.name
        self._member = member
        self._around = around

    @property
    def dm(self) -> Channel:
        """Return the direct messages between this person and the app."""
        return self._around.world.dm_with(self.id)

    # --- writing ---

    def say(
        self,
        text: str,
        where: Channel | None = None,
        thread: str | None = None,
        files: tuple[StoredFile, ...] = (),
        blocks: Sequence[JsonObject] = (),
        attachments: Sequence[JsonObject] = (),
    ) -> Message:
        """Write in a channel or thread; without a place, send the app a direct message.

        Other apps write in `blocks` and `attachments`, too.
        """
        channel = where or self.dm
        if self.id not in channel.members:
            raise ValueError(f"{self.name} is not in {channel.name}")
        world = self._around.world
        message = Message(
            channel.id,
            world.next_ts(),
            self.id,
            as_sent(text),
            thread,
            blocks=list(blocks),
            files=list(files),
            attachments=list(attachments),
            app=f"B{self.id}" if self._member.is_bot else "",
        )
        self._around.announce(world.add(message))
        return message

    def writes(self, text: str, *links: str) -> Draft:
        """Begin a message with links, without posting it: the app hears of the links."""
        world = self._around.world
        draft = Draft(f"COMPOSER-{world.next_id('D')}", self.id, text)
        world.drafts[draft.unfurl_id] = draft
        self._around.event("link_shared", self._around.events().link_written(draft, links))
        return draft

    def mention(self, text: str, where: Channel, thread: str | None = None) -> Message:
        return self.say(f"<@{BOT_USER}> {text}", where, thread)

    def reply(self, message: Message, text: str) -> Message:
        """Reply in the thread of a message, opening it if there is none."""
        return self.say(text, self._around.world.channels[message.channel], message.root)

    def upload(
        self,
        name: str,
        mime: str,
        data: bytes,
        text: str = "",
        where: Channel | None = None,
        thread: str | None = None,
    ) -> Message:
        public = (where or self.dm).kind is ChannelKind.PUBLIC
        return self.say(text, where, thread, (self._file(name, mime, data, public=public),))

    def post_canvas(self, title: str, html: bytes, text: str = "") -> Message:
        """Share a canvas with the app in a direct message."""
        return self.say(text, files=(self._file(title, CANVAS, html),))

    def speak(self, data: bytes, seconds: float = 3.0) -> Message:
        """Record an audio clip, which holds no text."""
        clip = {"clip": "slack_audio", "seconds": seconds}
        return self.say("", files=(self._file("audio_message.m4a", "audio/mp4", data, **clip),))

    def _file(self, name: str, mime: str, data: bytes, **more: Any) -> StoredFile:
        world = self._around.world
        file = StoredFile(world.next_id("F"), name, mime, data, self.id, **more)
        world.files[file.id] = file
        return file

    def share(
        self,
        other: Message,
        text: str = "",
        where: Channel | None = None,
        thread: str | None = None,
    ) -> Message:
        """Forward a message, with some words or without any."""
        world, channel = self._around.world, where or self.dm
        message = Message(channel.id, world.next_ts(), self.id, as_sent(text), thread)
        author = world.members[other.user]
        files = [file.as_json("") for file in other.files]
        if channel.shared:
            files = [{"id": one.id, "file_access": "check_file_info"} for one in other.files]
        shared: JsonObject = {
            "is_msg_unfurl": True,
            "is_share": True,
            "author_id": author.id,
            "author_name": author.real_name,
            "author_subname": author.name,
            "channel_id": other.channel,
            "channel_team": TEAM,
            "ts": other.ts,
            "text": other.text,
            "fallback": f"[{author.name}] {other.text}",
            "files": files,
            "mrkdwn_in": ["text"],
        }
        if other.blocks:
            shared["message_blocks"] = [{"ts": other.ts, "message": {"blocks": other.blocks}}]
        message.attachments = [shared]
        self._around.announce(world.add(message))
        return message

    def edit(self, message: Message, text: str) -> None:
        before, message.text = message.text, as_sent(text)
        message.edited_ts = self._around.world.next_ts()
        self._around.changed(message, before)

    def delete(self, message: Message) -> None:
        message.deleted = True
        self._around.removed(message)

    def react(self, message: Message, emoji: str) -> None:
        """Put an emoji on a message; repeating it changes nothing and sends no event."""
        who = message.reactions.setdefault(emoji, set())
        if self.id not in who:
            who.add(self.id)
            self._around.event(
                "reaction_added", self._around.events().reacted(message, self.id, emoji)
            )

    def becomes(self, **changes: str | bool) -> None:
        """Change fields of the member behind this person, such as `name` or `guest`."""
        for field, value in changes.items():
            if not hasattr(self._member, field):
                raise ValueError(f"a member has no {field}")
            setattr(self._member, field, value)
        self.name = self._member.name
        self._around.event("user_change", self._around.events().user_changed(self.id))

    def unreact(self, message: Message, emoji: str) -> None:
        """Remove an emoji from a message."""
        message.reactions.get(emoji, set()).discard(self.id)

    # --- clicking ---

    def click(self, message: Message, label: str) -> None:
        """Press a button or choose an option, by its label.

        Raises ValueError when it isn't there.
        """
        if message.only_for not in {None, self.id}:
            raise ValueError(f"{self.name} does not see this message")
        for block in message.blocks:
            for element in block.get("elements", []):
                chosen = _chosen(block, element, label)
                if chosen is not None:
                    self._act(message, chosen)
                    return
        raise ValueError(f"nothing says {label!r} on {message.blocks}")

    def _act(self, message: Message, chosen: JsonObject) -> None:
        around = self._around
        url = around.reply_url(message.channel, self.id, message)
        trigger = around.world.next_trigger(self.id)
        payload = around.events().action(message, self.id, chosen, url, trigger)
        around.delivery.send("interactive", payload)

    def slash(self, text: str, where: Channel | None = None) -> None:
        """Send `/bellhop <text>`. Slack takes no slash commands inside threads."""
        around, channel = self._around, where or self.dm
        url = around.reply_url(channel.id, self.id, None)
        payload = around.events().slash(
            channel, self.id, text, url, around.world.next_trigger(self.id)
        )
        around.delivery.send("slash_commands", payload)

    def choose(self, name: str, message: Message | None = None) -> None:
        """Use a shortcut of the app: from the menu of a message, or from anywhere.

        Raises ValueError if the app has none of this name.
        """
        kind = "global" if message is None else "message"
        listed = self._around.shortcuts()
        callback = next(
            (one["callback_id"] for one in listed if (one["type"], one["name"]) == (kind, name)),
            None,
        )
        if callback is None:
            raise ValueError(f"no {kind} shortcut is called {name!r}")
        events, trigger = self._around.events(), self._around.world.next_trigger(self.id)
        if message is None:
            payload = events.shortcut(callback, self.id, trigger)
        else:
            url = self._around.reply_url(message.channel, self.id, None)
            payload = events.message_action(callback, message, self.id, url, trigger)
        self._around.delivery.send("interactive", payload)

    @property
    def forms(self) -> list[JsonObject]:
        """Return the forms that are open for this person, newest last."""
        closed = self._around.delivery.closed_views
        return [
            view
            for view in self._around.world.views
            if view["user"] == self.id and view["id"] not in closed
        ]

    def submit(self, files: Mapping[str, bytes] | None = None, **values: str) -> None:
        """Fill in the newest form and send it, with `files` by name.

        Raises ValueError for what Slack would not let a person send.
        """
        if not self.forms:
            raise ValueError("no form is open")
        view = self.forms[-1]
        inputs = [block for block in view["blocks"] if block["type"] == "input"]
        if files and not any(one["element"]["type"] == "file_input" for one in inputs):
            raise ValueError("the form takes no files")
        put = [self._put(name, data) for name, data in (files or {}).items()]
        state = {block["block_id"]: filled(block, values, put) for block in inputs}
        if not {*values} <= {*state}:
            raise ValueError(f"the form has {sorted(state)}")
        trigger = self._around.world.next_trigger(self.id)
        self._around.delivery.send(
            "interactive", self._around.events().submission(view, self.id, state, trigger)
        )

    def _put(self, name: str, data: bytes) -> JsonObject:
        """A file that is put into a form: no channel has it, and the app may read it."""
        return self._file(name, "text/plain", data).as_json("")

    def stop(self, where: Channel, thread: str) -> None:
        """Press Slack's own stop button: the thread's streams end, and its status stays."""
        world = self._around.world
        session = world.sessions.get((where.id, thread))
        if session is None or session.status != "processing":
            raise ValueError(f"there is no stop button in {where.name}: nothing is being processed")
        streams = [
            message for message in world.in_thread(where.id, thread) if world.streaming(message)
        ]
        for message in streams:
            if message.stream is not None:
                message.stream.open = False
        event = self._around.events().stopped(
            where, thread, self.id, [message.ts for message in streams]
        )
        self._around.event("agent_session_stopped", event)

    @property
    def home(self) -> str:
        """Return the texts of this person's home tab, in order; empty before it was published."""
        blocks = self._around.world.homes.get(self.id, {}).get("blocks", [])
        return "\n".join(_texts(blocks))

    def press(self, label: str, beside: str) -> None:
        """Press a button of the home tab, at or below the section with this text.

        Raises ValueError when it isn't there.
        """
        world = self._around.world
        blocks: list[JsonObject] = world.homes.get(self.id, {}).get("blocks", [])
        found = [at for at, block in enumerate(blocks) if beside in "".join(_texts([block]))]
        for block in blocks[found[0] :] if found else ():
            for element in (block.get("accessory"), *block.get("elements", ())):
                chosen = _chosen(block, element or {}, label)
                if chosen is not None:
                    payload = self._around.events().home_action(
                        world.homes[self.id], self.id, chosen, world.next_trigger(self.id)
                    )
                    self._around.delivery.send("interactive", payload)
                    return
        raise ValueError(f"no {label!r} beside {beside!r} on {blocks}")

    def open_home(self, tab: str = "messages") -> None:
        self._around.event(
            "app_home_opened", self._around.events().home_opened(self.dm, self.id, tab)
        )

    # --- seeing ---

    def sees(self, where: Channel | None = None) -> list[Message]:
        """Return the app's messages that this person sees there, ephemeral ones included."""
        channel = where or self.dm
        shown = [
            m
            for m in self._around.world.messages
            if m.channel == channel.id and not m.deleted and m.from_bot
        ]
        return [message for message in shown if message.only_for in {None, self.id}]


def as_sent(text: str) -> str:
    """What Slack's apps make of what somebody types: addresses become links."""
    return _ADDRESS.sub(
        lambda found: f"<{found[1]}>" if found[1] else f"<mailto:{found[2]}|{found[2]}>", text
    )


def _texts(blocks: Sequence[JsonObject]) -> list[str]:
    parts = [part for block in blocks for part in (block, *block.get("elements", ()))]
    shown = [part for part in parts if part.get("type") != "button" and part.get("text")]
    plain = {"plain_text", "mrkdwn"}
    return [str(part["text"] if part["type"] in plain else part["text"]["text"]) for part in shown]


def _chosen(block: JsonObject, element: JsonObject, label: str) -> JsonObject | None:
    """Return the part of a block_actions payload for this control, if it has the label."""
    shown: JsonObject = {
        "action_id": element.get("action_id"),
        "block_id": block.get("block_id", "b1"),
    }
    if element.get("type") == "button" and element["text"]["text"] == label:
        return {**shown, "type": "button", "text": element["text"], "value": element.get("value")}
    if element.get("type") == "feedback_buttons":
        for button in (element["positive_button"], element["negative_button"]):
            if button["text"]["text"] == label:
                return {**shown, "type": "feedback_buttons", "value": button["value"]}
    if element.get("type") == "static_select":
        for option in element["options"]:
            if option["text"]["text"] == label:
                return {**shown, "type": "static_select", "selected_option": option}
    return None


def is_mention(message: Message, channel: Channel) -> bool:
    return (
        channel.kind is not ChannelKind.IM
        and f"<@{BOT_USER}>" in message.text
        and not message.from_bot
    )


def filled(
    block: JsonObject, values: Mapping[str, str], files: Sequence[JsonObject] = ()
) -> JsonObject:
    """Return the state of one input of a form.

    Raises ValueError for a missing required value, and for one too long or not offered.
    """
    name, element = str(block["block_id"]), block["element"]
    if element["type"] == "static_select":
        chosen = values.get(name) or element.get("initial_option", {}).get("value")
        option = next((one for one in element["options"] if one["value"] == chosen), None)
        if option is None:
            raise ValueError(f"{name} does not offer {chosen!r}")
        return {element["action_id"]: {"type": "static_select", "selected_option": option}}
    if element["type"] == "file_input":
        if len(files) > int(element.get("max_files") or 10) or (
            not files and not block.get("optional")
        ):
            raise ValueError(f"{name} takes 1 to {element.get('max_files')} files")
        return {element["action_id"]: {"type": "file_input", "files": [*files]}}
    value = values.get(name, str(element.get("initial_value") or ""))
    if len(value) > int(element.get("max_length") or 3000) or (
        not value and not block.get("optional")
    ):
        raise ValueError(f"{name} is required, or too long")
    return {element["action_id"]: {"type": element["type"], "value": value or None}}
