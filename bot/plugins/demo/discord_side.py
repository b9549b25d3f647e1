"""The loopback Discord as the page shows it."""

from collections.abc import Mapping
from typing import assert_never

from bot.loopback.discord import Channel, DiscordPlatform, Message, Person
from bot.loopback.discord.bodies import objects
from bot.loopback.discord.interaction_routes import Interaction
from bot.loopback.discord.limits import modal_input
from bot.loopback.discord.world import IS_COMPONENTS_V2, LOADING, ChannelKind, StoredFile
from bot.plugin.models import JsonObject
from bot.plugin.tools import raised_as
from bot.plugins.demo.markup import from_markdown, plain
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
)

_STYLES = {1: "primary", 3: "good", 4: "bad"}
_COMPLETION_S = 3.0
_UPLOAD = 19
"""An input that takes files, which the page does not show."""


class DiscordSide:
    """See `Side`. `people` are the members, by the id that the page knows them by."""

    name = "discord"
    title = "Discord"

    def __init__(self, platform: DiscordPlatform, people: Mapping[str, Person]) -> None:
        self._platform = platform
        self._people = people
        self._dismissed: set[int] = set()

    # --- seeing ---

    def view(self, who: str, place: str) -> SideView:
        person = self._people[who]
        channels = self._channels(person)
        channel = channels.get(place) or next(iter(channels.values()))
        form = self._form(person)
        return SideView(
            self.name,
            bool(self._platform.gateway.connected),
            str(channel.id),
            self._status(channel),
            tuple(self._place(one) for one in channels.values()),
            tuple(self._message(one, person) for one in _visible(channel, person)),
            tuple(_command(one) for one in self._platform.interactions.available(channel).values()),
            None if form is None else _form_view(form),
        )

    def _channels(self, person: Person) -> dict[str, Channel]:
        """The direct conversation first, then channels, each with its threads."""
        found = [person.dm]
        for guild in self._platform.world.guilds.values():
            tops = [one for one in guild.channels if not one.kind.is_thread]
            for top in tops:
                if not top.hidden or person.user.id in top.admits:
                    threads = [one for one in guild.channels if one.parent is top]
                    found += [top, *(one for one in threads if _open_to(one, person))]
        return {str(channel.id): channel for channel in found}

    def _place(self, channel: Channel) -> PlaceView:
        kind = "dm" if channel.kind is ChannelKind.DM else "channel"
        return PlaceView(
            str(channel.id),
            "Bellhop" if kind == "dm" else channel.name,
            "thread" if channel.kind.is_thread else kind,
            str(channel.parent.id) if channel.parent else "",
            str(max(channel.messages, default="")),
        )

    def _message(self, message: Message, person: Person) -> MessageView:
        thread = self._platform.world.channels.get(message.id)
        answered = self._platform.world.find_message(message.reply_to or 0)
        text = message.content or ("…" if message.flags & LOADING else "")
        return MessageView(
            str(message.id),
            message.author.name,
            message.author.bot,
            from_markdown(text, self._name_of),
            message.at.astimezone().strftime("%H:%M"),
            edited=message.edited is not None and not message.author.bot,
            only_you=message.only_for is not None,
            framed=bool(message.flags & IS_COMPONENTS_V2),
            reply_to=plain(answered.content, self._name_of)[:80] if answered else "",
            files=tuple(
                FileView(
                    file.name, f"file/discord/{file.id}", file.mime in PICTURES, len(file.data)
                )
                for file in message.files
            ),
            controls=tuple(_control(item) for item in message.buttons),
            reactions={emoji: len(who) for emoji, who in message.reactions.items() if who},
            thread=str(thread.id) if thread is not None and _open_to(thread, person) else "",
            replies=len(thread.messages) if thread is not None else 0,
        )

    def _name_of(self, id_: str) -> str | None:
        if not id_.isdigit():
            return None
        user = self._platform.world.users.get(int(id_))
        channel = self._platform.world.channels.get(int(id_))
        return user.name if user else channel.name if channel else None

    def _status(self, channel: Channel) -> str:
        """Discord shows that somebody types until their message is there."""
        typed = self._platform.channels.typing
        newest = next(reversed(channel.messages.values()), None)
        waits = newest is not None and not newest.author.bot
        return "Bellhop is typing …" if waits and channel.id in typed[-20:] else ""

    def _form(self, person: Person) -> Interaction | None:
        """The newest form that is open for somebody."""
        opened = [
            one
            for one in self._platform.interactions.interactions.values()
            if one.modal is not None and one.user is person.user and one.id not in self._dismissed
        ]
        return opened[-1] if opened else None

    # --- doing ---

    def act(self, who: str, place: str, act: Act) -> None:
        person = self._people[who]
        channel = self._channels(person).get(place)
        if channel is None:
            raise ActRefused("this place is not yours")
        with raised_as(ActRefused, LookupError):
            self._do(person, channel, act)

    def _do(self, person: Person, channel: Channel, act: Act) -> None:
        match act:
            case Speak():
                answered = self._seen(person, channel, act.reply_to) if act.reply_to else None
                person.say(channel, act.text, mention=act.mention, reply_to=answered)
            case Press():
                person.click(self._seen(person, channel, act.message), act.label)
            case React():
                person.react(self._seen(person, channel, act.message), act.emoji)
            case Edit():
                person.edit(self._own(person, channel, act.message), act.text)
            case Delete():
                person.delete(self._own(person, channel, act.message))
            case Slash():
                person.slash(channel, act.name, **act.options)
            case Submit():
                form = self._open_form(person, act.form)
                person.submit(form, None, **act.values)
                self._dismissed.add(form.id)
            case Dismiss():
                self._dismissed.add(self._open_form(person, act.form).id)
            case OpenThread():
                message = self._seen(person, channel, act.message)
                name = plain(message.content, self._name_of)[:40]
                person.start_thread(message, name or "Thread")
            case _:
                assert_never(act)

    def upload(
        self, who: str, place: str, text: str, mention: bool, files: list[HandedFile]
    ) -> None:
        person = self._people[who]
        channel = self._channels(person).get(place)
        if channel is None:
            raise ActRefused("this place is not yours")
        next_id = self._platform.world.next_id
        stored = [StoredFile(next_id(), one.name, one.mime, one.data) for one in files]
        person.say(channel, text, mention=mention, files=stored)

    async def complete(
        self, who: str, place: str, command: str, option: str, text: str
    ) -> list[str]:
        person = self._people[who]
        channel = self._channels(person).get(place)
        if channel is None:
            return []
        try:
            asked = person.types(channel, command, option, text)
        except LookupError:
            return []
        try:
            await self._platform.until(lambda: asked.choices is not None, _COMPLETION_S)
        except TimeoutError:
            return []
        return [str(one["value"]) for one in asked.choices or ()]

    def file(self, who: str, id_: str) -> HandedFile | None:
        person = self._people[who]
        for channel in self._channels(person).values():
            for message in _visible(channel, person):
                for file in message.files:
                    if str(file.id) == id_:
                        return HandedFile(file.name, file.mime, file.data)
        return None

    def _seen(self, person: Person, channel: Channel, id_: str) -> Message:
        """Raises LookupError."""
        for message in _visible(channel, person):
            if str(message.id) == id_:
                return message
        raise LookupError("this message is gone")

    def _own(self, person: Person, channel: Channel, id_: str) -> Message:
        message = self._seen(person, channel, id_)
        if message.author is not person.user:
            raise LookupError("this message is somebody else's")
        return message

    def _open_form(self, person: Person, id_: str) -> Interaction:
        form = self._form(person)
        if form is None or str(form.id) != id_:
            raise LookupError("this form is closed")
        return form


def _visible(channel: Channel, person: Person) -> list[Message]:
    return [one for one in channel.messages.values() if one.only_for in {None, person.user.id}]


def _open_to(thread: Channel, person: Person) -> bool:
    return thread.kind.is_thread and (not thread.closed or person.user.id in thread.admits)


def _control(item: JsonObject) -> ControlView:
    disabled = bool(item.get("disabled"))
    options = tuple(str(option["label"]) for option in objects(item, "options"))
    label = str(item.get("label") or item.get("placeholder") or "Choose")
    return ControlView(label, options, _STYLES.get(item.get("style", 0), "plain"), disabled)


def _command(command: JsonObject) -> CommandView:
    options = objects(command, "options")
    return CommandView(
        str(command["name"]),
        str(command.get("description") or ""),
        tuple(str(one["name"]) for one in options),
        tuple(str(one["name"]) for one in options if one.get("autocomplete")),
    )


def _form_view(interaction: Interaction) -> FormView:
    modal = interaction.modal or {}
    rows = objects(modal, "components")
    fields = tuple(_field(row) for row in rows if modal_input(row)["type"] != _UPLOAD)
    return FormView(str(interaction.id), str(modal.get("title") or ""), fields)


def _field(row: JsonObject) -> FieldView:
    item = modal_input(row)
    options = objects(item, "options")
    chosen = next((str(one["value"]) for one in options if one.get("default")), "")
    return FieldView(
        str(item["custom_id"]),
        str(row.get("label") or item.get("label") or ""),
        chosen or str(item.get("value") or ""),
        {str(one["value"]): str(one["label"]) for one in options},
        long=item.get("style") == 2,
        required=bool(item.get("required", True)),
        most=int(item.get("max_length") or 4000),
    )
