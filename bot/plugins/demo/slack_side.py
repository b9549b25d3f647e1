"""The loopback Slack as the page shows it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import assert_never

from bot.loopback.slack import BOT_USER, Channel, ChannelKind, Message, Person, SlackPlatform
from bot.loopback.slack.world import StoredFile
from bot.plugin.models import JsonObject
from bot.plugin.tools import raised_as
from bot.plugins.demo.markup import from_markdown, from_mrkdwn, plain
from bot.plugins.demo.sides import (
    PICTURES,
    Act,
    ActRefused,
    CommandView,
    ControlView,
    Delete,
    Dismiss,
    Edit,
    FieldView,
    FileView,
    FormView,
    HandedFile,
    MessageView,
    OpenThread,
    PlaceView,
    Press,
    React,
    SideView,
    Slash,
    Speak,
    Submit,
    TaskView,
)

_COMMAND = CommandView("bellhop", "help, status, stop, new …", ("text",))


class SlackSide:
    """See `Side`. A thread is the place `CHANNEL|TIMESTAMP`."""

    name = "slack"
    title = "Slack"

    def __init__(self, platform: SlackPlatform, people: Mapping[str, Person]) -> None:
        self._platform = platform
        self._world = platform.world
        self._people = people

    # --- seeing ---

    def view(self, who: str, place: str) -> SideView:
        person = self._people[who]
        places = self._places(person)
        known = {one.id for one in places}
        place = place if place in known else places[0].id
        channel, thread = self._at(person, place)
        return SideView(
            self.name,
            bool(self._platform.delivery.sockets),
            place,
            self._status(channel, thread),
            places,
            tuple(self._message(one) for one in self._shown(person, channel, thread)),
            () if thread else (_COMMAND,),
            self._form(person),
        )

    def _places(self, person: Person) -> tuple[PlaceView, ...]:
        mine = [one for one in self._world.channels.values() if person.id in one.members]
        found: list[PlaceView] = []
        for channel in [person.dm, *(one for one in mine if one is not person.dm)]:
            tops, threads = self._tree(person, channel)
            direct = channel.kind is ChannelKind.IM
            newest = max((one.ts for one in tops), default="")
            name, kind = ("Bellhop", "dm") if direct else (channel.name, "channel")
            found.append(PlaceView(channel.id, name, kind, newest=newest))
            found += [
                PlaceView(
                    f"{channel.id}|{root.ts}",
                    plain(root.text, self._name_of)[:40] or "Thread",
                    "thread",
                    channel.id,
                    replies[-1].ts,
                )
                for root, replies in threads
            ]
        return tuple(found)

    def _tree(
        self, person: Person, channel: Channel
    ) -> tuple[list[Message], list[tuple[Message, list[Message]]]]:
        """The messages of a channel, and its threads with their replies."""
        seen = [one for one in self._world.messages if self._sees(person, channel, one)]
        tops = [one for one in seen if one.root == one.ts]
        threads = [
            (root, replies)
            for root in tops
            if (replies := [one for one in seen if one.root == root.ts and one is not root])
        ]
        return tops, threads

    def _sees(self, person: Person, channel: Channel, message: Message) -> bool:
        here = message.channel == channel.id and not message.deleted
        return here and message.only_for in {None, person.id}

    def _shown(self, person: Person, channel: Channel, thread: str) -> list[Message]:
        seen = [one for one in self._world.messages if self._sees(person, channel, one)]
        return [one for one in seen if (one.root == thread if thread else one.root == one.ts)]

    def _message(self, message: Message) -> MessageView:
        author = self._world.members[message.user]
        moment = datetime.fromtimestamp(float(message.ts), UTC)
        replies = len(self._world.in_thread(message.channel, message.ts)) - 1
        root = message.root == message.ts
        return MessageView(
            message.ts,
            author.real_name,
            author.is_bot,
            self._html(message),
            moment.astimezone().strftime("%H:%M"),
            edited=message.edited_ts is not None and not message.from_bot,
            only_you=message.only_for is not None,
            files=tuple(
                FileView(one.name, f"file/slack/{one.id}", one.mime in PICTURES, len(one.data))
                for one in message.files
            ),
            controls=_controls(message.blocks),
            tasks=tuple(
                TaskView(str(one.get("title") or ""), str(one.get("status") or ""))
                for one in message.tasks.values()
            ),
            reactions={name: len(who) for name, who in message.reactions.items() if who},
            thread=f"{message.channel}|{message.ts}" if root and replies > 0 else "",
            replies=max(0, replies) if root else 0,
        )

    def _html(self, message: Message) -> str:
        written = [
            from_markdown(str(one.get("text") or ""), self._name_of)
            for one in message.blocks
            if one.get("type") == "markdown"
        ]
        if not written:
            reads = from_markdown if message.markdown else from_mrkdwn
            written = [reads(message.text, self._name_of)]
        written += [
            f"<small>{from_mrkdwn(str(part.get('text') or ''), self._name_of)}</small>"
            for one in message.blocks
            if one.get("type") == "context"
            for part in one["elements"]
        ]
        return "".join(written)

    def _name_of(self, id_: str) -> str | None:
        member, channel = self._world.members.get(id_), self._world.channels.get(id_)
        return member.real_name if member else channel.name if channel else None

    def _status(self, channel: Channel, thread: str) -> str:
        session = self._world.sessions.get((channel.id, thread or None))
        if session is None and not thread:
            roots = [key for key in self._world.sessions if key[0] == channel.id]
            session = self._world.sessions[roots[-1]] if roots else None
        return "Bellhop is working …" if session and session.status == "processing" else ""

    def _form(self, person: Person) -> FormView | None:
        if not person.forms:
            return None
        form = person.forms[-1]
        inputs = [
            one
            for one in form["blocks"]
            if one["type"] == "input" and one["element"]["type"] != "file_input"
        ]
        return FormView(
            str(form["id"]), str(form["title"]["text"]), tuple(_field(one) for one in inputs)
        )

    # --- doing ---

    def act(self, who: str, place: str, act: Act) -> None:
        person = self._people[who]
        with raised_as(ActRefused, LookupError, ValueError):
            channel, thread = self._at(person, place)
            self._do(person, channel, thread, act)

    def _do(self, person: Person, channel: Channel, thread: str, act: Act) -> None:
        match act:
            case Speak():
                self._say(person, channel, act.reply_to or thread, act)
            case Press():
                person.click(self._seen(person, channel, act.message), act.label)
            case React():
                person.react(self._seen(person, channel, act.message), act.emoji)
            case Edit():
                person.edit(self._own(person, channel, act.message), act.text)
            case Delete():
                person.delete(self._own(person, channel, act.message))
            case Slash():
                self._slash(person, channel, thread, act)
            case Submit():
                person.submit(None, **act.values)
            case Dismiss():
                self._platform.delivery.closed_views.add(act.form)
            case OpenThread():
                raise ActRefused("reply to a message, and its thread is open")
            case _:
                assert_never(act)

    def _say(self, person: Person, channel: Channel, thread: str, act: Speak) -> None:
        if act.mention and channel.kind is not ChannelKind.IM:
            person.mention(act.text, channel, thread or None)
        else:
            person.say(act.text, channel, thread or None)

    def _slash(self, person: Person, channel: Channel, thread: str, act: Slash) -> None:
        if thread:
            raise ActRefused("Slack takes no commands in threads")
        person.slash(act.options.get("text", ""), channel)

    def upload(
        self, who: str, place: str, text: str, mention: bool, files: list[HandedFile]
    ) -> None:
        person = self._people[who]
        with raised_as(ActRefused, LookupError, ValueError):
            channel, thread = self._at(person, place)
            stored = tuple(
                StoredFile(self._world.next_id("F"), one.name, one.mime, one.data, person.id)
                for one in files
            )
            self._world.files.update({one.id: one for one in stored})
            named = mention and channel.kind is not ChannelKind.IM
            words = f"<@{BOT_USER}> {text}".strip() if named else text
            person.say(words, channel, thread or None, stored)

    async def complete(
        self, who: str, place: str, command: str, option: str, text: str
    ) -> list[str]:
        """Slack completes nothing in its commands."""
        return []

    def file(self, who: str, id_: str) -> HandedFile | None:
        person = self._people[who]
        for channel in self._world.channels.values():
            if person.id in channel.members:
                for message in self._world.messages:
                    for file in message.files:
                        if file.id == id_ and self._sees(person, channel, message):
                            return HandedFile(file.name, file.mime, file.data)
        return None

    def _at(self, person: Person, place: str) -> tuple[Channel, str]:
        """The channel and the thread of a place. Raises LookupError."""
        id_, _, thread = place.partition("|")
        channel = self._world.channels.get(id_)
        if channel is None or person.id not in channel.members:
            raise LookupError("this place is not yours")
        return channel, thread

    def _seen(self, person: Person, channel: Channel, ts: str) -> Message:
        for message in self._world.messages:
            if message.ts == ts and self._sees(person, channel, message):
                return message
        raise LookupError("this message is gone")

    def _own(self, person: Person, channel: Channel, ts: str) -> Message:
        message = self._seen(person, channel, ts)
        if message.user != person.id:
            raise LookupError("this message is somebody else's")
        return message


def _controls(blocks: list[JsonObject]) -> tuple[ControlView, ...]:
    elements = [
        one for block in blocks if block.get("type") == "actions" for one in block["elements"]
    ]
    return tuple(
        ControlView(
            str(one.get("text", {}).get("text") or one.get("placeholder", {}).get("text") or ""),
            tuple(str(option["text"]["text"]) for option in one.get("options", [])),
            {"primary": "good", "danger": "bad"}.get(str(one.get("style")), "plain"),
        )
        for one in elements
    )


def _field(block: JsonObject) -> FieldView:
    element: JsonObject = block["element"]
    chosen: JsonObject = element.get("initial_option") or {}
    return FieldView(
        str(block["block_id"]),
        str(block["label"]["text"]),
        str(chosen.get("value") or element.get("initial_value") or ""),
        {str(one["value"]): str(one["text"]["text"]) for one in element.get("options", [])},
        long=bool(element.get("multiline")),
        required=not block.get("optional"),
        most=int(element.get("max_length") or 3000),
    )
