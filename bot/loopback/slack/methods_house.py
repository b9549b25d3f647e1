"""All methods except chat.*: auth, conversations, people, files, sessions, views."""

from bot.loopback.slack.limits import STATUSES, home_error, prompts_error, view_error
from bot.loopback.slack.method import HISTORY, READ, ApiFailure, Method, Office
from bot.loopback.slack.world import (
    APP,
    BOT,
    BOT_USER,
    TEAM,
    ChannelKind,
    Message,
    StoredFile,
)
from bot.plugin.models import JsonObject


def auth_test(office: Office, arguments: JsonObject) -> JsonObject:
    names = {"url": "https://house.slack.com/", "team": "House", "user": "bellhop"}
    return {
        **names,
        "team_id": TEAM,
        "user_id": BOT_USER,
        "bot_id": BOT,
        "is_enterprise_install": False,
        **({"enterprise_id": office.world.organisation} if office.world.organisation else {}),
    }


def connections_open(office: Office, arguments: JsonObject) -> JsonObject:
    return {"url": office.socket_url(), "app_id": APP}


# --- conversations and people ---


def history(office: Office, arguments: JsonObject) -> JsonObject:
    channel = office.channel(arguments)
    office.need_scope(HISTORY[channel.kind])
    return _page(office, arguments, office.world.top_level(channel.id)[::-1])


def replies(office: Office, arguments: JsonObject) -> JsonObject:
    channel = office.channel(arguments)
    office.need_scope(HISTORY[channel.kind])
    found = office.world.message(channel.id, str(arguments["ts"]))
    if found is None:
        raise ApiFailure("thread_not_found", fault=False)
    return _page(office, arguments, office.world.in_thread(channel.id, found.root))


def _page(office: Office, arguments: JsonObject, messages: list[Message]) -> JsonObject:
    oldest, latest = float(arguments.get("oldest") or 0), float(arguments.get("latest") or 1e12)
    closed = _yes(arguments.get("inclusive"))
    window = [
        m
        for m in messages
        if oldest < float(m.ts) < latest or (closed and float(m.ts) in {oldest, latest})
    ]
    limit = int(arguments.get("limit") or 100)
    if not 1 <= limit <= 999:
        raise ApiFailure("invalid_limit")
    start = int(arguments.get("cursor") or 0)
    rest = len(window) > start + limit
    metadata = _yes(arguments.get("include_all_metadata"))
    return {
        "messages": [_shown(office, m, metadata=metadata) for m in window[start : start + limit]],
        "has_more": rest,
        "response_metadata": {"next_cursor": str(start + limit) if rest else ""},
    }


def _shown(office: Office, message: Message, *, metadata: bool) -> JsonObject:
    """Return a message: a root names its latest reply, a reply names the author of its root."""
    shown = message.as_json(office.base(), metadata=metadata)
    latest = office.world.latest_reply(message)
    if latest is not None:
        shown |= {"thread_ts": message.ts, "latest_reply": latest}
    if message.thread_ts not in {None, message.ts}:
        root = office.world.message(message.channel, str(message.thread_ts))
        shown |= {"parent_user_id": root.user} if root is not None else {}
    put = [
        {"name": name, "users": sorted(who), "count": len(who)}
        for name, who in message.reactions.items()
        if who
    ]
    return shown | ({"reactions": put} if put else {})


def own_conversations(office: Office, arguments: JsonObject) -> JsonObject:
    """List the app's conversations, or those of a person that the app also sees."""
    kinds = {"public_channel": "channel", "private_channel": "group"}
    types = [
        kinds.get(kind, kind) for kind in str(arguments.get("types") or "public_channel").split(",")
    ]
    for kind in types:
        office.need_scope(READ[ChannelKind(kind)])
    who = str(arguments.get("user") or BOT_USER)
    if who not in office.world.members:
        raise ApiFailure("user_not_found")
    listed = [
        c
        for c in office.world.channels.values()
        if who in c.members and c.kind in types and not c.archived
        if c.kind is ChannelKind.PUBLIC or BOT_USER in c.members
    ]
    limit, start = int(arguments.get("limit") or 100), int(arguments.get("cursor") or 0)
    rest = len(listed) > start + limit
    return {
        "channels": [channel.as_json() for channel in listed[start : start + limit]],
        "response_metadata": {"next_cursor": str(start + limit) if rest else ""},
    }


def _yes(value: object) -> bool:
    return str(value).lower() in {"1", "true"}


def conversation_open(office: Office, arguments: JsonObject) -> JsonObject:
    user = str(arguments["users"])
    if user not in office.world.members:
        raise ApiFailure("user_not_found")
    return {"channel": {"id": office.world.dm_with(user).id}}


def user_info(office: Office, arguments: JsonObject) -> JsonObject:
    member = office.world.members.get(str(arguments["user"]))
    if member is None:
        raise ApiFailure("user_not_found", fault=False)
    locale = {"locale": member.locale} if _yes(arguments.get("include_locale")) else {}
    return {"user": {**member.as_json(), **locale}}


def group_list(office: Office, arguments: JsonObject) -> JsonObject:
    groups: list[JsonObject] = [
        {"id": group, "handle": group.lower(), "users": sorted(users)}
        for group, users in office.world.groups.items()
    ]
    if not _yes(arguments.get("include_users")):
        groups = [
            {key: value for key, value in group.items() if key != "users"} for group in groups
        ]
    return {"usergroups": groups}


# --- views, agent sessions ---


def open_view(office: Office, arguments: JsonObject) -> JsonObject:
    view: JsonObject = arguments["view"]
    if error := view_error(view):
        raise ApiFailure(error)
    user, at = office.world.triggers.get(str(arguments["trigger_id"]), ("", 0.0))
    if not user:
        raise ApiFailure("invalid_trigger_id")
    if at < 0:
        raise ApiFailure("exchanged_trigger_id", fault=False)
    if office.world.clock.monotonic() - at > TRIGGER_S:
        raise ApiFailure("expired_trigger_id", fault=False)
    office.world.triggers[str(arguments["trigger_id"])] = (user, -1.0)
    opened = {**view, "id": office.world.next_id("V")}
    office.world.views.append({**opened, "user": user})
    return {"view": opened}


def publish_view(office: Office, arguments: JsonObject) -> JsonObject:
    user, view = str(arguments["user_id"]), arguments["view"]
    if user not in office.world.members:
        raise ApiFailure("user_not_found")
    if not office.home_tab():
        raise ApiFailure("not_enabled")
    if error := home_error(view):
        raise ApiFailure(error)
    shown = {**view, "id": office.world.homes.get(user, {}).get("id") or office.world.next_id("V")}
    office.world.homes[user] = shown
    return {"view": shown}


def complete_step(office: Office, arguments: JsonObject) -> JsonObject:
    if not isinstance(arguments["outputs"], dict):
        raise ApiFailure("parameter_validation_failed")
    return _end_run(office, arguments, {"outputs": arguments["outputs"]})


def fail_step(office: Office, arguments: JsonObject) -> JsonObject:
    return _end_run(office, arguments, {"error": str(arguments["error"])})


def _end_run(office: Office, arguments: JsonObject, how: JsonObject) -> JsonObject:
    run = str(arguments["function_execution_id"])
    if office.world.step_runs.get(run, how) is not None:
        raise ApiFailure("function_execution_not_found", fault=False)
    office.world.step_runs[run] = how
    return {}


def set_status(office: Office, arguments: JsonObject) -> JsonObject:
    channel = office.channel(arguments, "channel_id")
    status, title = str(arguments["status"]), str(arguments.get("title") or "")
    if status not in STATUSES or len(title) > 200:
        raise ApiFailure("invalid_arguments")
    thread = arguments.get("thread_ts")
    if thread is not None and office.world.message(channel.id, str(thread)) is None:
        raise ApiFailure(
            "thread_not_found", fault=not office.world.was_deleted(channel.id, str(thread))
        )
    session = office.world.set_status(channel.id, thread, status, title)
    answer: JsonObject = {"status": session.status, "title": session.title}
    if not office.subscribed("agent_session_stopped"):
        answer["warning"] = "missing_agent_session_stopped_event_subscription"
    return answer


def suggest(office: Office, arguments: JsonObject) -> JsonObject:
    channel = office.channel(arguments, "channel_id")
    if error := prompts_error(arguments["prompts"]):
        raise ApiFailure(error)
    office.world.prompts[channel.id] = arguments["prompts"]
    return {}


# --- files ---


def upload_url(office: Office, arguments: JsonObject) -> JsonObject:
    if int(arguments["length"]) <= 0:
        raise ApiFailure("invalid_arguments")
    file = StoredFile(
        office.world.next_id("F"), str(arguments["filename"]), "", b"", BOT_USER, shared=False
    )
    office.world.files[file.id] = file
    return {
        "upload_url": f"{office.base()}/upload/{file.id}?length={arguments['length']}",
        "file_id": file.id,
    }


def complete_upload(office: Office, arguments: JsonObject) -> JsonObject:
    wanted: list[JsonObject] = arguments["files"]
    files = [_uploaded(office, str(entry.get("id")), entry.get("title")) for entry in wanted]
    if arguments.get("channel_id"):
        channel = office.channel(arguments, "channel_id")
        thread = arguments.get("thread_ts")
        if thread is not None and office.world.message(channel.id, str(thread)) is None:
            raise ApiFailure("thread_not_found")
        comment = str(arguments.get("initial_comment") or "")
        message = Message(
            channel.id, office.world.next_ts(), BOT_USER, comment, thread, files=files
        )
        office.posted(office.world.add(message))
    for file in files:
        file.shared = True
    return {"files": [file.as_json(office.base()) for file in files]}


def _uploaded(office: Office, file_id: str, title: object) -> StoredFile:
    file = office.world.files.get(file_id)
    if file is None or file.shared:
        raise ApiFailure("file_not_found")
    if not file.data:
        raise ApiFailure("file_update_failed")
    file.name = str(title or file.name)
    return file


def file_info(office: Office, arguments: JsonObject) -> JsonObject:
    file = office.world.files.get(str(arguments["file"]))
    if file is None:
        raise ApiFailure("file_not_found", fault=False)
    if file.mode == "tombstone":
        raise ApiFailure("file_deleted", fault=False)
    if file.mode == "foreign":
        raise ApiFailure("access_denied", fault=False)
    return {"file": file.as_json(office.base())}


def search_context(office: Office, arguments: JsonObject) -> JsonObject:
    if str(arguments.get("action_token")) not in office.world.action_tokens:
        raise ApiFailure("invalid_action_token")
    for name, value in (("channel_types", "public_channel"), ("content_types", "messages")):
        if arguments.get(name) not in (value, [value]):  # a form's words, or a list of JSON
            raise ApiFailure("invalid_arguments")
    words = str(arguments["query"]).casefold().split()
    found = [
        message
        for message in office.world.messages
        if office.world.channels[message.channel].kind is ChannelKind.PUBLIC
        and not message.deleted
        and any(word in message.text.casefold() for word in words)
    ]
    return {
        "results": {
            "messages": [
                _hit(office, message) for message in found[: int(arguments.get("limit", 20))]
            ]
        }
    }


def _hit(office: Office, message: Message) -> JsonObject:
    author = office.world.members[message.user]
    return {
        "author_name": author.real_name,
        "author_user_id": author.id,
        "team_id": TEAM,
        "channel_id": message.channel,
        "channel_name": office.world.channels[message.channel].name,
        "message_ts": message.ts,
        "content": message.text,
        "is_author_bot": author.is_bot,
        "permalink": (
            f"https://house.slack.com/archives/{message.channel}/p{message.ts.replace('.', '')}"
        ),
    }


TRIGGER_S = 3.0
_WINDOW = ("cursor", "inclusive", "include_all_metadata", "latest", "limit", "oldest")
_ASSIST = ("assistant:write",)

HOUSE_METHODS = {
    "auth.test": Method(auth_test, tier=1000),
    "apps.connections.open": Method(connections_open, token="app", tier=20),  # noqa: S106 - the kind of token
    "conversations.history": Method(history, ("channel",), _WINDOW, takes_json=False),
    "conversations.replies": Method(replies, ("channel", "ts"), _WINDOW, takes_json=False),
    "conversations.open": Method(conversation_open, ("users",), ("return_im",), ("im:write",)),
    "users.info": Method(
        user_info, ("user",), ("include_locale",), ("users:read",), tier=100, takes_json=False
    ),
    "users.conversations": Method(
        own_conversations,
        (),
        ("types", "exclude_archived", "limit", "cursor", "user"),
        takes_json=False,
    ),
    "assistant.search.context": Method(
        search_context,
        ("query",),
        ("action_token", "content_types", "channel_types", "limit"),
        ("search:read.public",),
        tier=20,
    ),
    "usergroups.list": Method(
        group_list,
        (),
        ("include_users", "include_disabled", "include_count"),
        ("usergroups:read",),
        tier=20,
        takes_json=False,
    ),
    "views.open": Method(open_view, ("view", "trigger_id"), (), (), tier=100),
    "functions.completeSuccess": Method(complete_step, ("function_execution_id", "outputs")),
    "functions.completeError": Method(fail_step, ("function_execution_id", "error")),
    "views.publish": Method(publish_view, ("user_id", "view"), ("hash",), (), tier=100),
    "agents.sessions.setStatus": Method(
        set_status,
        ("channel_id", "status"),
        ("thread_ts", "title", "initiator_user_id"),
        _ASSIST,
        tier=600,
    ),
    "assistant.threads.setSuggestedPrompts": Method(
        suggest, ("channel_id", "prompts"), ("thread_ts", "title"), _ASSIST
    ),
    "files.getUploadURLExternal": Method(
        upload_url,
        ("filename", "length"),
        ("alt_txt", "snippet_type"),
        ("files:write",),
        tier=100,
        takes_json=False,
    ),
    "files.completeUploadExternal": Method(
        complete_upload,
        ("files",),
        ("channel_id", "initial_comment", "thread_ts", "channels"),
        ("files:write",),
        tier=100,
        takes_json=False,
    ),
    "files.info": Method(file_info, ("file",), (), ("files:read",), tier=100, takes_json=False),
}
