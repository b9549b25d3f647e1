"""Converts discord.py's objects to the plain values of `seen`, and files to what it takes."""

import io
from dataclasses import replace
from typing import Any, cast

import discord

from bot.plugin.chat import PlatformPerson
from bot.plugin.payloads import JsonObject, texts_in
from bot.plugins.discord_chat.polls import poll_words
from bot.plugins.discord_chat.seen import (
    RestCall,
    SeenChannel,
    SeenClick,
    SeenFile,
    SeenMessage,
    SeenPlace,
    SeenQuote,
)

_UNKNOWN = PlatformPerson("0", "somebody elsewhere", is_bot=True)


def seen_message(
    message: discord.Message, place: SeenPlace, author: PlatformPerson, me: str
) -> SeenMessage:
    """A message in its current state; `me` is the bot's own id."""
    resolved = message.reference.resolved if message.reference is not None else None
    replied_to = resolved.author.id if isinstance(resolved, discord.Message) else None
    roles = message.role_mentions
    return SeenMessage(
        id=str(message.id),
        place=place,
        author=author,
        content=_content(message),
        at=message.created_at,
        bot=me,
        names=_names(message),
        bot_roles=frozenset(
            str(role.id) for role in roles if role.tags and str(role.tags.bot_id) == me
        ),
        reply_to=str(message.reference.message_id)
        if message.reference and message.reference.message_id
        else None,
        reply_author=None if replied_to is None else str(replied_to),
        files=_files(message),
        edited_at=message.edited_at,
        quoted=_quotes(message),
        sees_past=_sees_past(message),
    )


def _sees_past(message: discord.Message) -> bool:
    """Whether its author may read the channel's history; in a direct message anybody may."""
    channel, who, server = message.channel, message.author, message.guild
    if server is None:
        return True
    if isinstance(channel, discord.PartialMessageable):
        return False
    try:
        of = who if isinstance(who, discord.Member) else server.default_role
        return channel.permissions_for(of).read_message_history
    except discord.ClientException:  # a thread whose channel is not known
        return False


def seen_click(
    interaction: discord.Interaction, place: SeenPlace, token: str | None, *, own_response: bool
) -> SeenClick:
    """A clicked button or used menu."""
    data = data_of(interaction)
    message = interaction.message
    reference = message.reference if message is not None else None
    return SeenClick(
        str(interaction.id),
        place,
        seen_person(interaction.user),
        interaction.created_at,
        token,
        custom_id=str(data.get("custom_id", "")),
        values=tuple(texts_in(data, "values")),
        message=str(message.id) if message is not None else "",
        message_reply_to=str(reference.message_id) if reference and reference.message_id else None,
        own_response=own_response,
        locale=locale_of(interaction),
    )


def locale_of(interaction: discord.Interaction) -> str:
    """The language of the person's app; discord.py keeps one that it does not know as text."""
    return str(getattr(interaction.locale, "value", interaction.locale) or "")


def data_of(interaction: discord.Interaction) -> JsonObject:
    """What an interaction carries."""
    return {**(interaction.data or {})}


def seen_person(author: discord.User | discord.Member) -> PlatformPerson:
    """A person, with their roles if Discord sent them."""
    roles: tuple[str, ...] = ()
    if isinstance(author, discord.Member):
        roles = tuple(str(role.id) for role in author.roles if not role.is_default())
    return PlatformPerson(str(author.id), author.display_name, author.bot, roles)


def listed_channel(
    channel: discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread,
) -> list[SeenChannel]:
    """The channel, if it has messages that the bot may read; else an empty list.

    Raises ClientException for a lost thread.
    """
    newest = channel.last_message_id
    me = cast("discord.Member | None", channel.guild.me)  # unknown if it was unreadable
    if newest is None or (me is not None and not channel.permissions_for(me).read_message_history):
        return []
    parent = str(channel.parent_id) if isinstance(channel, discord.Thread) else None
    return [SeenChannel(str(channel.id), parent, str(newest))]


def _names(message: discord.Message) -> dict[str, str]:
    """The names of the mentions in the message."""
    return {
        **{f"@{user.id}": user.display_name for user in message.mentions},
        **{f"@&{role.id}": role.name for role in message.role_mentions},
        **{f"#{channel.id}": channel.name for channel in message.channel_mentions},
    }


def _content(message: discord.Message) -> str:
    """The text; a sticker by its name, a poll by its question and answers."""
    stickers = [f"[sticker: {sticker.name}]" for sticker in message.stickers]
    parts = [message.content, *stickers, _poll(message.poll)]
    return "\n".join(part for part in parts if part)


def _poll(poll: discord.Poll | None) -> str:
    if poll is None:
        return ""
    answers = [(one.text, one.vote_count) for one in poll.answers]
    return poll_words(poll.question, answers, closed=poll.is_finalised())


def _quotes(message: discord.Message) -> tuple[SeenQuote, ...]:
    """The replied-to and forwarded messages: other people's words, whoever sent them along."""
    found = [
        SeenQuote(_UNKNOWN, snapshot.content, tuple(file.filename for file in snapshot.attachments))
        for snapshot in message.message_snapshots
    ]
    resolved = message.reference.resolved if message.reference is not None else None
    if isinstance(resolved, discord.Message):
        names = tuple(file.filename for file in resolved.attachments)
        here = resolved.channel.id == message.channel.id
        found.append(
            SeenQuote(
                seen_person(resolved.author),
                _content(resolved),
                names,
                _names(resolved),
                at=(str(resolved.channel.id), str(resolved.id)) if here else ("", ""),
                attached=tuple(_file(file) for file in resolved.attachments) if here else (),
            )
        )
    return tuple(found)


def _files(message: discord.Message) -> tuple[SeenFile, ...]:
    forwarded = [file for snapshot in message.message_snapshots for file in snapshot.attachments]
    own = [
        replace(_file(file), spoken=message.flags.voice and file.is_voice_message())
        for file in message.attachments
    ]
    return (*own, *map(_file, forwarded))


def _file(file: discord.Attachment) -> SeenFile:
    mime = (file.content_type or "application/octet-stream").partition(";")[0].strip()
    seconds = max(file.duration or 0.0, 0.0)
    return SeenFile(str(file.id), file.filename, mime, file.size, file.url, seconds=seconds)


def multipart(call: RestCall) -> dict[str, Any]:
    """The form in which discord.py takes uploads: it rewinds the files and rebuilds it per try."""
    files = [discord.File(io.BytesIO(upload.data), upload.name) for upload in call.files]
    body = {"name": "payload_json", "value": discord.utils._to_json(call.body)}  # noqa: SLF001 - its own encoder
    form: list[dict[str, Any]] = [body]
    for number, (file, upload) in enumerate(zip(files, call.files, strict=True)):
        form.append(
            {
                "name": f"files[{number}]",
                "value": file.fp,
                "filename": upload.name,
                "content_type": "application/octet-stream",
            }
        )
    return {"files": files, "form": form}
