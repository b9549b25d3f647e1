"""chat.*: posting, editing, deleting and streaming."""

from bot.loopback.slack.limits import STATUSES, chunks_error, content_error, metadata_error
from bot.loopback.slack.method import ApiFailure, Method, Office
from bot.loopback.slack.world import BOT_USER, TEAM, Channel, ChannelKind, Message
from bot.plugin.models import JsonObject

_SHOWN = ("text", "markdown_text", "blocks", "metadata")


def _check(arguments: JsonObject) -> None:
    shown = content_error(
        arguments.get("text"), arguments.get("markdown_text"), arguments.get("blocks")
    )
    if error := shown or metadata_error(arguments.get("metadata")):
        raise ApiFailure(error)


def _thread(office: Office, channel: Channel, arguments: JsonObject) -> str | None:
    thread = arguments.get("thread_ts")
    if thread is None:
        return None
    root = office.world.message(channel.id, str(thread))
    if root is None:
        raise ApiFailure(
            "thread_not_found", fault=not office.world.was_deleted(channel.id, str(thread))
        )
    if root.thread_ts not in {None, root.ts}:
        raise ApiFailure("cannot_reply_to_message")
    return str(thread)


def _fill(message: Message, arguments: JsonObject) -> None:
    markdown = arguments.get("markdown_text")
    message.markdown = markdown is not None
    message.text = str(markdown if markdown is not None else arguments.get("text") or "")
    message.blocks = list(arguments.get("blocks") or [])
    if arguments.get("metadata") is not None:
        message.metadata = arguments["metadata"]


def post_message(office: Office, arguments: JsonObject) -> JsonObject:
    _check(arguments)
    channel = office.channel(arguments)
    message = Message(channel.id, "", BOT_USER, "", _thread(office, channel, arguments))
    message.unfurl = (
        arguments.get("unfurl_links") is not False or arguments.get("unfurl_media") is not False
    )
    _fill(message, arguments)
    message.ts = office.world.next_ts()
    office.posted(office.world.add(message))
    shown = message.as_json(office.base(), metadata=True)
    return {"channel": channel.id, "ts": message.ts, "message": shown}


def post_ephemeral(office: Office, arguments: JsonObject) -> JsonObject:
    _check(arguments)
    channel = office.channel(arguments)
    if arguments["user"] not in channel.members:
        raise ApiFailure("user_not_in_channel")
    message = Message(
        channel.id, office.world.next_ts(), BOT_USER, "", _thread(office, channel, arguments)
    )
    message.only_for = str(arguments["user"])
    _fill(message, arguments)
    office.world.add(message)
    return {"message_ts": message.ts}


def update(office: Office, arguments: JsonObject) -> JsonObject:
    _check(arguments)
    message = office.own_message(arguments)
    if office.world.streaming(message):
        raise ApiFailure("streaming_state_conflict")
    before = message.text
    _fill(message, arguments)
    message.edited_ts = office.world.next_ts()
    office.changed(message, before)
    return {"channel": message.channel, "ts": message.ts, "text": message.text}


def delete(office: Office, arguments: JsonObject) -> JsonObject:
    message = office.own_message(arguments)
    message.deleted = True
    office.removed(message)
    return {"channel": message.channel, "ts": message.ts}


# --- streams ---


def start_stream(office: Office, arguments: JsonObject) -> JsonObject:
    channel = office.channel(arguments)
    if channel.kind is not ChannelKind.IM:
        if not arguments.get("recipient_user_id"):
            raise ApiFailure("missing_recipient_user_id")
        if arguments.get("recipient_team_id") != TEAM:
            raise ApiFailure("missing_recipient_team_id")
    message = Message(
        channel.id,
        "",
        BOT_USER,
        "",
        _thread(office, channel, arguments),
        markdown=True,
        unfurl=False,
    )
    _append(message, arguments)
    message.ts = office.world.next_ts()
    office.world.open_stream(office.world.add(message))
    return {"channel": channel.id, "ts": message.ts}


def append_stream(office: Office, arguments: JsonObject) -> JsonObject:
    message = _streaming(office, arguments)
    if not arguments.get("chunks") and not arguments.get("markdown_text"):
        raise ApiFailure("no_text")
    _append(message, arguments)
    return {"channel": message.channel, "ts": message.ts}


def stop_stream(office: Office, arguments: JsonObject) -> JsonObject:
    message = _streaming(office, arguments)
    blocks = arguments.get("blocks")
    shown = content_error("x", None, blocks) if blocks else None
    if error := shown or metadata_error(arguments.get("metadata")):
        raise ApiFailure(error)
    status = arguments.get("session_status")
    if status is not None and status not in STATUSES:
        raise ApiFailure("invalid_arguments")
    _append(message, arguments)
    message.blocks = list(blocks or [])
    message.metadata = arguments.get("metadata") or message.metadata
    if message.stream is not None:
        message.stream.open = False
    if status is not None:
        office.world.set_status(message.channel, message.thread_ts, status)
    office.posted(message)
    return {
        "channel": message.channel,
        "ts": message.ts,
        "message": message.as_json(office.base(), metadata=True),
    }


def _streaming(office: Office, arguments: JsonObject) -> Message:
    message = office.own_message(arguments)
    if not office.world.streaming(message):
        raise ApiFailure("message_not_in_streaming_state", fault=False)
    return message


def _append(message: Message, arguments: JsonObject) -> None:
    chunks: list[JsonObject] = arguments.get("chunks") or []
    if error := chunks_error(chunks):
        raise ApiFailure(error)
    text = str(arguments.get("markdown_text") or "")
    text += "".join(str(chunk["text"]) for chunk in chunks if chunk["type"] == "markdown_text")
    if content_error(None, (message.text + text) or "x", None):
        raise ApiFailure("msg_too_long")
    message.text += text
    for chunk in chunks:
        if chunk["type"] == "task_update":
            message.tasks[chunk["id"]] = chunk


def unfurl(office: Office, arguments: JsonObject) -> JsonObject:
    """Show what the app says about links of a message, or of one that is being written."""
    by_id, by_place = ({"source", "unfurl_id"}, {"channel", "ts"})
    if {*arguments} & (by_id | by_place) not in (by_id, by_place):
        raise ApiFailure("invalid_arguments")
    if arguments.get("source") == "composer":
        message = office.world.drafts.get(str(arguments["unfurl_id"]))
    elif "unfurl_id" in arguments:
        channel, _, ts = str(arguments["unfurl_id"]).partition(".")
        message = office.world.message(channel, ts)
    else:
        message = office.world.message(str(arguments["channel"]), str(arguments["ts"]))
    if message is None:
        raise ApiFailure("cannot_find_message", fault=False)
    unfurls: dict[str, JsonObject] = arguments["unfurls"]
    for url, shown in unfurls.items():
        if url not in message.text:
            raise ApiFailure("cannot_unfurl_url")
        if error := content_error("x", None, shown.get("blocks")):
            raise ApiFailure(error)
    message.previews |= unfurls
    return {}


_POST = (*_SHOWN, "thread_ts", "unfurl_links", "unfurl_media", "mrkdwn", "reply_broadcast")
_STREAM = ("chunks", "markdown_text")
_WRITE = ("chat:write",)

CHAT_METHODS = {
    "chat.postMessage": Method(post_message, ("channel",), _POST, _WRITE, tier=1000),
    "chat.postEphemeral": Method(
        post_ephemeral, ("channel", "user"), (*_SHOWN, "thread_ts"), _WRITE, tier=100
    ),
    "chat.update": Method(update, ("channel", "ts"), _SHOWN, _WRITE),
    "chat.delete": Method(delete, ("channel", "ts"), (), _WRITE),
    "chat.unfurl": Method(
        unfurl, ("unfurls",), ("channel", "ts", "source", "unfurl_id"), ("links:write",)
    ),
    "chat.startStream": Method(
        start_stream,
        ("channel", "thread_ts"),
        (*_STREAM, "recipient_team_id", "recipient_user_id", "task_display_mode"),
        _WRITE,
        tier=20,
    ),
    "chat.appendStream": Method(append_stream, ("channel", "ts"), _STREAM, _WRITE, tier=100),
    "chat.stopStream": Method(
        stop_stream,
        ("channel", "ts"),
        (*_STREAM, "blocks", "metadata", "session_status"),
        _WRITE,
        tier=20,
    ),
}
