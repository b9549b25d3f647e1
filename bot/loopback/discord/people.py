"""The people's side: what somebody with a Discord client does and sees."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from bot.loopback.discord.bodies import objects
from bot.loopback.discord.interaction_routes import Interaction, InteractionRoutes
from bot.loopback.discord.limits import modal_input
from bot.loopback.discord.payloads import moment
from bot.loopback.discord.polls import vote
from bot.loopback.discord.posts import Posts
from bot.loopback.discord.world import Channel, ForumTag, Message, StoredFile, User
from bot.plugin.models import JsonObject

IS_VOICE_MESSAGE = 1 << 13


class Person:
    """One member (or, with `bot`, another bot) of the loopback Discord."""

    def __init__(self, user: User, posts: Posts, interactions: InteractionRoutes) -> None:
        self.user = user
        self._posts = posts
        self._world = posts.world
        self._interactions = interactions

    @property
    def id(self) -> str:
        return str(self.user.id)

    @property
    def mention(self) -> str:
        return f"<@{self.user.id}>"

    @property
    def dm(self) -> Channel:
        """Return their direct conversation with the bot."""
        return self._world.dm(self.user.id)

    def say(
        self,
        channel: Channel,
        text: str,
        *,
        mention: bool = False,
        reply_to: Message | None = None,
        files: list[StoredFile] | None = None,
    ) -> Message:
        """Write a message; with `mention` it begins with the bot's name."""
        content = f"<@{self._world.bot.id}> {text}".strip() if mention else text
        body: JsonObject = {"content": content}
        if reply_to is not None:
            body["message_reference"] = {"message_id": str(reply_to.id)}
        return self._posts.create(channel, self.user, body, files)

    def reply(self, message: Message, text: str) -> Message:
        """Reply to a message in its channel; this notifies its author."""
        return self.say(message.channel, text, reply_to=message)

    def forward(self, message: Message, channel: Channel) -> Message:
        """Forward a message, as it is now, to another place."""
        return self._posts.forward(message, channel, self.user)

    def upload(
        self,
        channel: Channel,
        name: str,
        data: bytes,
        text: str = "",
        *,
        mime: str = "text/plain",
        mention: bool = False,
    ) -> Message:
        """Write a message with a file."""
        file = StoredFile(self._world.next_id(), name, mime, data)
        return self.say(channel, text, mention=mention, files=[file])

    def speak(self, channel: Channel, data: bytes, seconds: float = 3.0) -> Message:
        """Send a voice message, which holds no text."""
        file = StoredFile(
            self._world.next_id(), "voice-message.ogg", "audio/ogg", data, seconds=seconds
        )
        body: JsonObject = {"content": "", "flags": IS_VOICE_MESSAGE}
        return self._posts.create(channel, self.user, body, [file])

    def poll(self, channel: Channel, question: str, **votes: int) -> Message:
        """Post a poll; `votes` are its answers, and how often each was chosen."""
        answers: list[JsonObject] = [
            {"answer_id": number, "poll_media": {"text": text}}
            for number, text in enumerate(votes, start=1)
        ]
        counts: list[JsonObject] = [
            {"id": number, "count": count, "me_voted": False}
            for number, count in enumerate(votes.values(), start=1)
        ]
        poll: JsonObject = {
            "question": {"text": question},
            "answers": answers,
            "expiry": moment(self._world.now() + timedelta(hours=24)),
            "allow_multiselect": False,
            "layout_type": 1,
            "results": {"is_finalized": False, "answer_counts": counts},
        }
        return self._posts.create(channel, self.user, {"content": "", "poll": poll})

    def vote(self, message: Message, answer: str) -> None:
        """Vote in a poll. Raises LookupError without such an answer, ApiError after its end."""
        vote(message, answer)

    def edit(self, message: Message, text: str) -> None:
        self._posts.edit(message, {"content": text})

    def delete(self, message: Message) -> None:
        self._posts.delete(message)

    def react(self, message: Message, emoji: str) -> None:
        self._posts.react(message, self.user, emoji)

    def unreact(self, message: Message, emoji: str) -> None:
        """Remove an emoji from a message."""
        message.reactions.get(emoji, set()).discard(self.user.id)

    def start_thread(self, message: Message, name: str) -> Channel:
        return self._posts.start_thread(message, name, self.user)

    def open_thread(self, parent: Channel, name: str, *only_for: "Person") -> Channel:
        """Open a thread, or a post of a forum; with people, a private thread of them alone."""
        among = {self.user.id, *(one.user.id for one in only_for)} if only_for else None
        return self._posts.open_thread(parent, name, self.user, only_for=among)

    def open_post(
        self, forum: Channel, title: str, text: str, *tags: ForumTag, mention: bool = False
    ) -> Message:
        """Open a post of a forum with its first message. Raises ApiError without a needed tag."""
        content = f"<@{self._world.bot.id}> {text}" if mention else text
        return self._posts.open_post(forum, title, content, self.user, [one.id for one in tags])

    def slash(self, channel: Channel, name: str, /, **options: str) -> Interaction:
        """Use an application command.

        Raises LookupError when the bot has not registered such a command.
        """
        known = self._interactions.available(channel)
        if name not in known:
            raise LookupError(f"/{name} is not registered; there are {sorted(known)}")
        takes = {option["name"]: option for option in objects(known[name], "options")}
        missing = {option for option, about in takes.items() if about.get("required")} - {*options}
        if missing or not {*options} <= {*takes}:
            raise LookupError(f"/{name} takes {sorted(takes)}, not {sorted(options)}")
        filled = [{"name": option, "type": 3, "value": value} for option, value in options.items()]
        data: JsonObject = {"id": known[name]["id"], "name": name, "type": 1, "options": filled}
        return self._interactions.begin(self.user, channel, 2, data)

    def choose(self, message: Message, label: str) -> Interaction:
        """Choose from the menu of a message. Raises LookupError if there is no such entry."""
        channel = message.channel
        data = self._from_menu(channel, label, 3) | {"target_id": str(message.id)}
        shown = self._posts.payloads.message(message)
        data["resolved"] = {"messages": {str(message.id): shown}}
        return self._interactions.begin(self.user, channel, 2, data)

    def choose_about(self, channel: Channel, person: "Person", label: str) -> Interaction:
        """Choose from the menu of a person. Raises LookupError if there is no such entry."""
        data = self._from_menu(channel, label, 2) | {"target_id": person.id}
        resolved: JsonObject = {"users": {person.id: self._posts.payloads.user(person.user)}}
        if channel.guild is not None:
            member = self._posts.payloads.member(channel.guild, person.user)
            resolved["members"] = {person.id: member}
        return self._interactions.begin(self.user, channel, 2, {**data, "resolved": resolved})

    def _from_menu(self, channel: Channel, label: str, kind: int) -> JsonObject:
        """The entry as this person's app names it."""
        for one in self._interactions.menus(channel, kind):
            words: JsonObject = one.get("name_localizations") or {}
            if words.get(self.user.locale, one["name"]) == label:
                return {"id": one["id"], "name": one["name"], "type": kind}
        raise LookupError(f"the menu has no {label!r}")

    def types(self, channel: Channel, name: str, option: str, text: str) -> Interaction:
        """Type into an option with autocomplete. Raises LookupError if it has none."""
        known = self._interactions.available(channel)
        completing = [
            one["name"]
            for one in objects(known.get(name, {}), "options")
            if one.get("autocomplete")
        ]
        if option not in completing:
            raise LookupError(f"/{name} completes {completing}")
        filled = [{"name": option, "type": 3, "value": text, "focused": True}]
        data: JsonObject = {"id": known[name]["id"], "name": name, "type": 1, "options": filled}
        return self._interactions.begin(self.user, channel, 4, data)

    def click(self, message: Message, label: str) -> Interaction:
        """Press a button, or choose an option of a select.

        Raises LookupError when there is no such button or option.
        """
        for item in message.buttons:
            if item.get("disabled"):
                continue
            if item["type"] == 2 and item.get("label") == label:
                return self._press(message, {"custom_id": item["custom_id"], "component_type": 2})
            for option in objects(item, "options"):
                if option["label"] == label:
                    chosen: JsonObject = {"component_type": 3, "values": [option["value"]]}
                    return self._press(message, {"custom_id": item["custom_id"], **chosen})
        raise LookupError(f"nothing here is called {label!r}; there are {message.labels}")

    def submit(
        self, interaction: Interaction, files: Mapping[str, bytes] | None = None, **values: str
    ) -> Interaction:
        """Fill in and send the modal that the bot opened, with `files` by name.

        Raises LookupError when there is none, or it takes no such thing.
        """
        if interaction.modal is None:
            raise LookupError("the bot has opened no modal")
        put = [
            StoredFile(self._world.next_id(), name, "text/plain", data)
            for name, data in (files or {}).items()
        ]
        asked = objects(interaction.modal, "components")
        if put and not any(modal_input(row)["type"] == 19 for row in asked):
            raise LookupError("the modal takes no files")
        ids = [str(one.id) for one in put]
        rows = [_filled(row, values, ids) for row in asked]
        data: JsonObject = {"custom_id": interaction.modal["custom_id"], "components": rows}
        if put:
            self._world.form_files += put
            shown = self._posts.payloads.form_file
            found = {str(one.id): shown(interaction.channel, one) for one in put}
            data["resolved"] = {"attachments": found}
        return self._interactions.begin(
            self.user, interaction.channel, 5, data, interaction.message
        )

    def sees(self, channel: Channel) -> list[Message]:
        """Return the bot's messages that this person sees, oldest first, ephemeral ones too."""
        bot = self._world.bot
        return [
            message
            for message in channel.messages.values()
            if message.author is bot and message.only_for in {None, self.user.id}
        ]

    def thread_of(self, message: Message) -> Channel | None:
        """Return the thread that was started from a message."""
        found = self._world.channels.get(message.id)
        return found if found is not None and found.kind.is_thread else None

    def _press(self, message: Message, data: JsonObject) -> Interaction:
        return self._interactions.begin(self.user, message.channel, 3, data, message)


def _filled(row: JsonObject, values: dict[str, str], files: Sequence[str]) -> JsonObject:
    """Return one row of a form, as a client sends it.

    Raises LookupError for what a client would not let a person send.
    """
    item = modal_input(row)
    name = str(item["custom_id"])
    if item["type"] == 3:
        offered = {
            option["value"]: bool(option.get("default")) for option in objects(item, "options")
        }
        chosen = (
            [values[name]]
            if name in values
            else [value for value, default in offered.items() if default]
        )
        if not {*chosen} <= {*offered}:
            raise LookupError(f"{name} offers {sorted(offered)}")
        entry: JsonObject = {"type": 3, "custom_id": name, "values": chosen}
    elif item["type"] == 19:
        least, most = int(item.get("min_values", 1)), int(item.get("max_values") or 1)
        if not least <= len(files) <= most:
            raise LookupError(f"{name} takes {least} to {most} files")
        entry = {"type": 19, "custom_id": name, "values": [*files]}
    else:
        value = values.get(name, str(item.get("value") or ""))
        if len(value) > int(item.get("max_length") or 4000) or (
            item.get("required", True) and not value
        ):
            raise LookupError(f"{name} is required, or too long")
        entry = {"type": 4, "custom_id": name, "value": value}
    return (
        {"type": 18, "component": entry}
        if row["type"] == 18
        else {"type": 1, "components": [entry]}
    )
