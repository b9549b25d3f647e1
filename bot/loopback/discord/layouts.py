"""Discord's rules for messages of components (flag 1 << 15), which have no other content."""

from collections.abc import Iterator

from bot.loopback.discord.bodies import invalid, objects
from bot.loopback.discord.world import IS_COMPONENTS_V2, Message
from bot.plugin.models import JsonObject

MOST_COMPONENTS = 40
MOST_CHARS = 4000
ROW, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = 1, 9, 10, 11, 12, 13, 14, 17
_INNER = frozenset({ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR})
_OTHER = ("content", "embeds", "sticker_ids", "poll")


def is_layout(body: JsonObject, message: Message | None = None) -> bool:
    flags = int(body.get("flags") or 0) | (message.flags if message else 0)
    return bool(flags & IS_COMPONENTS_V2)


def check_layout(body: JsonObject, message: Message | None = None) -> list[JsonObject]:
    """Return its rows of buttons. Raises ApiError for a body that breaks a limit.

    `message` is the one that is edited: what it has of another kind must be taken off.
    """
    kept = message is not None and not message.flags & IS_COMPONENTS_V2
    for name in _OTHER:
        left = kept and name not in body and getattr(message, name, None)
        if body.get(name) or left:
            raise invalid(
                name,
                f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            )
    listed = objects(body, "components")
    if message is not None and "components" not in body:
        return []
    for number, one in enumerate(listed):
        _check(one, f"components.{number}", _INNER | {CONTAINER})
    found = list(_all(listed))
    if not 1 <= len(found) <= MOST_COMPONENTS:
        raise invalid("components", f"Must be between 1 and {MOST_COMPONENTS} in length.")
    if sum(len(one["content"]) for one in found if one["type"] == TEXT) > MOST_CHARS:
        raise invalid(
            "components",
            f"The total text of the components must be {MOST_CHARS} or fewer in length.",
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
        )
    beside = [{"type": ROW, "components": [one["accessory"]]} for one in found if _has_button(one)]
    return [*(one for one in found if one["type"] == ROW), *beside]


def text_of(components: list[JsonObject]) -> str:
    """Return what people read in them."""
    return "\n".join(one["content"] for one in _all(components) if one["type"] == TEXT)


def _has_button(one: JsonObject) -> bool:
    return one["type"] == SECTION and one["accessory"].get("type") == 2


def _all(components: list[JsonObject]) -> Iterator[JsonObject]:
    for one in components:
        yield one
        yield from _all(objects(one, "components"))
        if "accessory" in one:
            yield one["accessory"]


def _check(one: JsonObject, where: str, allowed: frozenset[int]) -> None:
    kind = one.get("type")
    if kind not in allowed:
        listed = ", ".join(map(str, sorted(allowed)))
        raise invalid(
            f"{where}.type", f"Value of field must be one of ({listed}).", "UNION_TYPE_CHOICES"
        )
    wrong = _wrong(one, kind)
    if wrong is not None:
        raise invalid(f"{where}.{wrong[0]}", wrong[1])
    inside = {SECTION: frozenset({TEXT}), CONTAINER: _INNER}.get(kind)
    for number, part in enumerate(objects(one, "components") if inside else ()):
        _check(part, f"{where}.components.{number}", inside or _INNER)


def _wrong(one: JsonObject, kind: int) -> tuple[str, str] | None:
    """Return the field of one component that breaks a rule, and the rule."""
    parts, text = len(objects(one, "components")), str(one.get("content") or "").strip()
    accessory: JsonObject = one.get("accessory") or {}
    file: JsonObject = one.get("file") or {}
    rules: dict[int, tuple[bool, str, str]] = {
        TEXT: (1 <= len(text) <= MOST_CHARS, "content", f"Must be 1 to {MOST_CHARS} in length."),
        GALLERY: (1 <= len(objects(one, "items")) <= 10, "items", "Must be 1 to 10 in length."),
        SEPARATOR: (one.get("spacing", 1) in {1, 2}, "spacing", "Value must be one of {1, 2}."),
        CONTAINER: (parts > 0, "components", "Must be 1 to 40 in length."),
        FILE: (
            str(file.get("url") or "").startswith("attachment://"),
            "file.url",
            "Must be an attachment.",
        ),
        SECTION: (
            1 <= parts <= 3 and accessory.get("type") in {2, THUMBNAIL},
            "components",
            "Must be 1 to 3 in length, with an accessory.",
        ),
    }
    holds, field, rule = rules.get(kind, (True, "", ""))
    return None if holds else (field, rule)
