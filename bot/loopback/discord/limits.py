"""Discord's rules for posts; breaking one gives an error in Discord's form."""

import re
from collections.abc import Iterable
from typing import cast

from bot.loopback.discord.bodies import ApiError, invalid, objects, texts
from bot.loopback.discord.layouts import check_layout, is_layout
from bot.loopback.discord.polls import check_poll
from bot.loopback.discord.world import Message
from bot.plugin.models import JsonObject

MOST_TEXT = 2000
MOST_FILES = 10
LARGEST_FILE = 10 * 2**20
MOST_COMMANDS = 100
_COMMAND_NAME = re.compile(r"[-_\w]{1,32}")
_SETTABLE_FLAGS = (1 << 2) | (1 << 6) | (1 << 12) | (1 << 15)


def check_message(
    body: JsonObject, files: int, *, new: bool, message: Message | None = None
) -> None:
    """Raise ApiError for a POST or PATCH body that breaks a limit; `message` is edited by it."""
    content = body.get("content")
    if content is not None and (not isinstance(content, str) or len(content) > MOST_TEXT):
        raise invalid("content", f"Must be {MOST_TEXT} or fewer in length.")
    components = objects(body, "components")
    if body.get("embeds"):
        raise invalid("embeds", "Nothing here posts any.", "EMBEDS_NOT_SUPPORTED_HERE")
    if is_layout(body, message):
        _check_components(check_layout(body, message), most=40)
    else:
        _check_components(components)
    if files > MOST_FILES:
        raise invalid("attachments", f"Must be {MOST_FILES} or fewer in length.")
    poll = cast("JsonObject | None", body.get("poll"))
    if poll is not None and not new:
        raise ApiError(400, 520003, "Cannot edit a poll message")
    if poll is not None:
        check_poll(poll)
    if new and not (
        str(content or "").strip() or components or files or poll or body.get("sticker_ids")
    ):
        raise ApiError(400, 50006, "Cannot send an empty message")
    nonce = body.get("nonce")
    if nonce is not None and len(str(nonce)) > 25:
        raise invalid("nonce", "Must be 25 or fewer in length.")
    if int(body.get("flags") or 0) & ~_SETTABLE_FLAGS:
        raise invalid("flags", "Invalid flags.", "MESSAGE_FLAGS_INVALID")
    _check_mentions(cast("JsonObject", body.get("allowed_mentions") or {}))


def _check_mentions(allowed: JsonObject) -> None:
    parse = set(texts(allowed, "parse"))
    if parse - {"users", "roles", "everyone"}:
        raise invalid(
            "allowed_mentions.parse", "Value must be one of ('users', 'roles', 'everyone').", "ENUM"
        )
    for kind in ("users", "roles"):
        if kind in parse and allowed.get(kind):
            raise invalid(
                "allowed_mentions",
                f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.',
                "X",
            )


def _check_components(rows: list[JsonObject], most: int = 5) -> None:
    if len(rows) > most:
        raise invalid("components", "Must be between 1 and 5 in length.")
    seen: set[str] = set()
    for number, row in enumerate(rows):
        where = f"components.{number}"
        if row.get("type") != 1:
            raise invalid(f"{where}.type", "Value of field must be 1.", "UNION_TYPE_CHOICES")
        items = objects(row, "components")
        selects = [item for item in items if item.get("type") in {3, 5, 6, 7, 8}]
        if not items or len(items) > 5 or (selects and len(items) > 1):
            raise invalid(f"{where}.components", "Must be between 1 and 5 in length.")
        for item in items:
            _check_component(item, where, seen)


def _check_component(item: JsonObject, where: str, seen: set[str]) -> None:
    if item.get("type") not in {2, 3}:
        raise invalid(
            f"{where}.type",
            "Value of field must be one of (2, 3, 5, 6, 7, 8).",
            "UNION_TYPE_CHOICES",
        )
    if item["type"] == 2 and item.get("style") == 5:
        return
    custom_id = str(item.get("custom_id") or "")
    if not 1 <= len(custom_id) <= 100:
        raise invalid(f"{where}.custom_id", "Must be between 1 and 100 in length.")
    if custom_id in seen:
        raise invalid(
            f"{where}.custom_id",
            "Component custom id cannot be duplicated",
            "COMPONENT_CUSTOM_ID_DUPLICATED",
        )
    seen.add(custom_id)
    if item["type"] == 2:
        if len(str(item.get("label") or "")) > 80 or not (item.get("label") or item.get("emoji")):
            raise invalid(f"{where}.label", "Must be between 1 and 80 in length.")
        return
    options = objects(item, "options")
    if not 1 <= len(options) <= 25 or len(str(item.get("placeholder") or "")) > 150:
        raise invalid(f"{where}.options", "Must be between 1 and 25 in length.")
    values = [str(option["value"]) for option in options]
    texts = [
        str(option.get(name) or "")
        for option in options
        for name in ("label", "value", "description")
    ]
    if len({*values}) != len(values) or any(len(text) > 100 for text in texts):
        raise invalid(f"{where}.options", "Values must be unique; texts 100 or fewer in length.")


def check_commands(commands: Iterable[JsonObject], *, guild: bool = False) -> None:
    """Raise ApiError for application commands that Discord refuses, globally or per guild."""
    names: set[tuple[int, str]] = set()
    listed = list(commands)
    if (
        sum(int(command.get("type") or 1) == 1 for command in listed) > MOST_COMMANDS
        or len(listed) > 130
    ):
        raise ApiError(400, 30032, "Maximum number of application commands reached (100).")
    for number, command in enumerate(listed):
        name, kind = str(command.get("name") or ""), int(command.get("type") or 1)
        if kind == 1 and (_COMMAND_NAME.fullmatch(name) is None or name != name.lower()):
            raise invalid(
                f"{number}.name", "Command name is invalid", "APPLICATION_COMMAND_INVALID_NAME"
            )
        if (kind, name) in names:
            raise invalid(
                f"{number}.name", "Duplicate command name", "APPLICATION_COMMANDS_DUPLICATE_NAME"
            )
        names.add((kind, name))
        _check_words(command, number)
        if kind == 1 and not 1 <= len(str(command.get("description") or "")) <= 100:
            raise invalid(f"{number}.description", "Must be between 1 and 100 in length.")
        if guild and "id" not in command and command.get("contexts") is not None:
            raise invalid(f"{number}.contexts", "Contexts are for global commands only")
        _check_options(objects(command, "options"), number)


_LOCALES = frozenset(
    (
        *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu"),
        *("nl", "no", "pl", "pt-BR", "ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru"),
        *("uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko"),
    )
)


def _check_words(command: JsonObject, number: int) -> None:
    """What a command is called in other languages."""
    for part, most in (("name_localizations", 32), ("description_localizations", 100)):
        words = cast("JsonObject", command.get(part) or {})
        if {*words} - _LOCALES:
            raise invalid(f"{number}.{part}", "Value must be a locale.", "ENUM_TYPE_COERCE")
        if not all(1 <= len(str(text)) <= most for text in words.values()):
            raise invalid(f"{number}.{part}", f"Must be between 1 and {most} in length.")
        is_chat = int(command.get("type") or 1) == 1
        for name in map(str, words.values()) if part == "name_localizations" and is_chat else ():
            if _COMMAND_NAME.fullmatch(name) is None or name != name.lower():
                raise invalid(
                    f"{number}.{part}",
                    "Command name is invalid",
                    "APPLICATION_COMMAND_INVALID_NAME",
                )


def _check_options(options: list[JsonObject], number: int) -> None:
    if len(options) > 25 or len({option["name"] for option in options}) < len(options):
        raise invalid(
            f"{number}.options", "Must be 25 or fewer in length, each with a name of its own."
        )
    if [bool(option.get("required")) for option in options] != sorted(
        (bool(option.get("required")) for option in options), reverse=True
    ):
        raise invalid(
            f"{number}.options", "Required options must be placed before non-required options"
        )
    for option in options:
        if (
            _COMMAND_NAME.fullmatch(option["name"]) is None
            or not 1 <= len(option["description"]) <= 100
        ):
            raise invalid(f"{number}.options", "Must be between 1 and 100 in length.")


def check_choices(choices: list[JsonObject]) -> None:
    """Raise ApiError for an autocomplete response that Discord refuses."""
    if len(choices) > 25:
        raise invalid("data.choices", "Must be 25 or fewer in length.")
    for choice in choices:
        if not 1 <= len(str(choice["name"])) <= 100 or not 1 <= len(str(choice["value"])) <= 100:
            raise invalid("data.choices", "Must be between 1 and 100 in length.")


def check_modal(data: JsonObject) -> None:
    """Raise ApiError for a modal that Discord refuses."""
    if not 1 <= len(data["title"]) <= 45 or not 1 <= len(data["custom_id"]) <= 100:
        raise invalid("data.title", "Must be between 1 and 45 in length.")
    rows = objects(data, "components")
    if not 1 <= len(rows) <= 5:
        raise invalid("data.components", "Must be between 1 and 5 in length.")
    inputs = [modal_input(row) for row in rows]
    names = {str(item.get("custom_id") or "") for item in inputs}
    if len(names) < len(rows) or not all(1 <= len(name) <= 100 for name in names):
        raise invalid(
            "data.components",
            "Component custom id cannot be duplicated",
            "COMPONENT_CUSTOM_ID_DUPLICATED",
        )
    for row, item in zip(rows, inputs, strict=True):
        if row["type"] == 18 and (
            not 1 <= len(row["label"]) <= 45 or len(str(row.get("description") or "")) > 100
        ):
            raise invalid(
                "data.components", "Labels are 1 to 45, their descriptions up to 100 in length."
            )
        _check_input(item, labelled=row["type"] == 18)


def modal_input(row: JsonObject) -> JsonObject:
    """Return the single input of a modal's label or row."""
    if row.get("type") == 18:
        return cast("JsonObject", row["component"])
    items = objects(row, "components")
    if row.get("type") != 1 or len(items) != 1 or items[0].get("type") != 4:
        raise invalid(
            "data.components", "Value of field must be one of (1, 18).", "UNION_TYPE_CHOICES"
        )
    return items[0]


def _check_input(item: JsonObject, *, labelled: bool) -> None:
    if item.get("type") == 3 and labelled:
        options = objects(item, "options")
        if (
            not 1 <= len(options) <= 25
            or sum(bool(option.get("default")) for option in options) > 1
        ):
            raise invalid("data.components", "Must be between 1 and 25 in length.")
        return
    if item.get("type") == 19 and labelled:
        _check_upload(item)
        return
    if item.get("type") != 4 or item.get("style") not in {1, 2}:
        raise invalid("data.components", "Value is no text input.", "UNION_TYPE_CHOICES")
    most = int(item.get("max_length") or 4000)
    if (
        not 1 <= most <= 4000
        or len(str(item.get("value") or "")) > most
        or (not labelled and not item.get("label"))
    ):
        raise invalid("data.components", "Must be between 1 and 4000 in length.")


def _check_upload(item: JsonObject) -> None:
    """See https://docs.discord.com/developers/components/reference#file-upload."""
    least, most = int(item.get("min_values", 1)), int(item.get("max_values") or 1)
    if not 0 <= least <= most or not 1 <= most <= 10:
        raise invalid("data.components", "Must be between 0 and 10 in length.")
    if item.get("required", True) and not least:
        raise invalid("data.components", "A required upload takes at least one file.")
