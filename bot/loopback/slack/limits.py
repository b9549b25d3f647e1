"""Slack's rules for messages, blocks and views: each function returns its error code, or None."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from bot.plugin.models import JsonObject

TEXT = 40_000
STATUSES = {"active", "processing", "suspended", "closed"}
MARKDOWN = 12_000
BLOCKS = 50
VIEW_BLOCKS = 100
ELEMENTS = {"actions": 25, "context": 10, "context_actions": 5}
_MESSAGES_ALONE = {"context_actions", "markdown", "plan", "table", "task_card"}
"""Blocks that no view takes."""
_KNOWN_BLOCKS = {
    *_MESSAGES_ALONE,
    "actions",
    "context",
    "divider",
    "file",
    "header",
    "image",
    "input",
    "rich_text",
    "section",
}


def blocks_error(blocks: object) -> str | None:
    if not isinstance(blocks, list):
        return "invalid_blocks_format"
    listed = cast("list[JsonObject]", blocks)
    if len(listed) > BLOCKS:
        return "invalid_blocks"
    markdown = sum(
        len(str(block.get("text", ""))) for block in listed if block.get("type") == "markdown"
    )
    if markdown > MARKDOWN:
        return "msg_blocks_too_long"
    return "invalid_blocks" if any(_problems(listed)) else None


def _problems(blocks: Sequence[JsonObject]) -> Iterator[str]:
    ids = [block["block_id"] for block in blocks if "block_id" in block]
    if len(ids) != len({*ids}):
        yield "block_id stands there twice"
    for block in blocks:
        kind = block.get("type")
        if kind not in _KNOWN_BLOCKS:
            yield f"unknown block {kind}"
        if len(str(block.get("block_id", ""))) > 255:
            yield "block_id too long"
        yield from _text_problems(block)
        yield from _element_problems(block)
        if accessory := block.get("accessory"):
            yield from _control_problems(accessory)


def _text_problems(block: JsonObject) -> Iterator[str]:
    kind, text = block.get("type"), block.get("text")
    if kind == "markdown" and not (isinstance(text, str) and text.strip()):
        yield "a markdown block needs text"
    if kind in {"section", "header"}:
        most = 3000 if kind == "section" else 150
        yield from _plain(text, most, f"{kind} text")


def _plain(text: object, most: int, what: str) -> Iterator[str]:
    if not isinstance(text, dict):
        yield f"{what} must be a text object"
        return
    written = str(cast("JsonObject", text).get("text", ""))
    if not 1 <= len(written) <= most:
        yield f"{what} must have 1 to {most} characters"


def _element_problems(block: JsonObject) -> Iterator[str]:
    kind = str(block.get("type"))
    if kind not in ELEMENTS:
        return
    elements: list[JsonObject] = block.get("elements") or []
    if not 1 <= len(elements) <= ELEMENTS[kind]:
        yield f"{kind} must have 1 to {ELEMENTS[kind]} elements"
    actions = [element.get("action_id") for element in elements if element.get("action_id")]
    if len(actions) != len({*actions}):
        yield "action_id stands there twice"
    for element in elements:
        yield from _control_problems(element)


def _control_problems(element: JsonObject) -> Iterator[str]:
    if len(str(element.get("action_id", ""))) > 255:
        yield "action_id too long"
    check = _CONTROLS.get(str(element.get("type")))
    if check is not None:
        yield from check(element)


def _button_problems(button: JsonObject) -> Iterator[str]:
    yield from _plain(button.get("text"), 75, "button text")
    if len(str(button.get("value", ""))) > 2000:
        yield "button value too long"
    if button.get("style") not in {None, "primary", "danger"}:
        yield "button style"


def _feedback_problems(element: JsonObject) -> Iterator[str]:
    for side in ("positive_button", "negative_button"):
        button: JsonObject = element.get(side) or {}
        yield from _plain(button.get("text"), 75, f"text of {side}")
        if not 1 <= len(str(button.get("value", ""))) <= 2000:
            yield f"value of {side} must have 1 to 2000 characters"
        if len(str(button.get("accessibility_label", ""))) > 75:
            yield "accessibility_label too long"


def _select_problems(element: JsonObject) -> Iterator[str]:
    options: list[JsonObject] = element.get("options") or []
    if not 1 <= len(options) <= 100:
        yield "a select must have 1 to 100 options"
    if "placeholder" in element:
        yield from _plain(element["placeholder"], 150, "placeholder")
    yield from _option_problems(options)


def _overflow_problems(element: JsonObject) -> Iterator[str]:
    options: list[JsonObject] = element.get("options") or []
    if not 1 <= len(options) <= 5:
        yield "an overflow menu must have 1 to 5 options"
    yield from _option_problems(options)


def _option_problems(options: Sequence[JsonObject]) -> Iterator[str]:
    for option in options:
        yield from _plain(option.get("text"), 75, "option text")
        if not 1 <= len(str(option.get("value", ""))) <= 150:
            yield "option value must have 1 to 150 characters"


_CONTROLS: Mapping[str, Callable[[JsonObject], Iterator[str]]] = {
    "button": _button_problems,
    "feedback_buttons": _feedback_problems,
    "overflow": _overflow_problems,
    "static_select": _select_problems,
}


def view_error(view: JsonObject) -> str | None:
    """Check the modal of views.open: its texts, blocks and inputs."""
    return "invalid_arguments" if any(_modal_problems(view)) else None


def home_error(view: JsonObject) -> str | None:
    """Check the view of views.publish."""
    return "invalid_arguments" if any(_home_problems(view)) else None


def _home_problems(view: JsonObject) -> Iterator[str]:
    if view.get("type") != "home":
        yield "views.publish takes a home alone"
    if any(name in view for name in ("title", "submit", "close")):
        yield "a home has no title and nothing to submit"
    yield from _view_problems(view)


def _view_problems(view: JsonObject) -> Iterator[str]:
    blocks: list[JsonObject] = view.get("blocks") or []
    if len(blocks) > VIEW_BLOCKS:
        yield f"a view has up to {VIEW_BLOCKS} blocks"
    if any(block.get("type") in _MESSAGES_ALONE for block in blocks):
        yield "a block that only messages have"
    yield from _problems(blocks)


def _modal_problems(view: JsonObject) -> Iterator[str]:
    blocks: list[JsonObject] = view.get("blocks") or []
    if view.get("type") != "modal":
        yield "views.open takes a modal alone"
    for name in ("title", "submit", "close"):
        if name == "title" or name in view:
            yield from _plain(view.get(name), 24, name)
    if (
        len(str(view.get("callback_id", ""))) > 255
        or len(str(view.get("private_metadata", ""))) > 3000
    ):
        yield "callback_id or private_metadata too long"
    inputs = [block for block in blocks if block.get("type") == "input"]
    if inputs and "submit" not in view:
        yield "a modal with inputs needs submit"
    yield from _view_problems(view)
    for block in inputs:
        yield from _input_problems(block)


def _input_problems(block: JsonObject) -> Iterator[str]:
    yield from _plain(block.get("label"), 2000, "label")
    if "hint" in block:
        yield from _plain(block["hint"], 2000, "hint")
    element: JsonObject = block.get("element") or {}
    match element.get("type"):
        case "plain_text_input":
            most = int(element.get("max_length") or 3000)
            if not 1 <= most <= 3000 or len(str(element.get("initial_value", ""))) > most:
                yield "max_length must be 1 to 3000"
        case "static_select":
            yield from _control_problems(element)
            if "initial_option" in element and element["initial_option"] not in element["options"]:
                yield "initial_option is no option"
        case "file_input":
            if not 1 <= int(element.get("max_files") or 10) <= 10:
                yield "max_files must be 1 to 10"
        case kind:
            yield f"{kind} is no input"


def content_error(text: object, markdown: object, blocks: object) -> str | None:
    """Check the content of chat.postMessage, chat.update and chat.postEphemeral."""
    if markdown is not None and (text is not None or blocks is not None):
        return "markdown_text_conflict"
    if markdown is None and text is None and not blocks:
        return "no_text"
    if markdown is not None and len(str(markdown)) > MARKDOWN:
        return "msg_too_long"
    if text is not None and len(str(text)) > TEXT:
        return "msg_too_long"
    if isinstance(markdown, str) and not markdown.strip():
        return "no_text"
    return blocks_error(blocks) if blocks is not None else None


def chunks_error(chunks: object) -> str | None:
    """Check the `chunks` of chat.startStream, appendStream and stopStream."""
    if not isinstance(chunks, list):
        return "invalid_chunks"
    total = 0
    for chunk in cast("list[Any]", chunks):
        if not isinstance(chunk, dict):
            return "invalid_chunks"
        known = cast("JsonObject", chunk)
        match known.get("type"):
            case "markdown_text":
                total += len(str(known.get("text", "")))
            case "task_update":
                if not known.get("id") or not str(known.get("title", "")):
                    return "invalid_chunks"
                if known.get("status") not in {"pending", "in_progress", "complete", "error"}:
                    return "invalid_chunks"
            case "plan_update" | "blocks":
                continue
            case _:
                return "invalid_chunks"
    return "msg_too_long" if total > MARKDOWN else None


def metadata_error(metadata: object) -> str | None:
    if metadata is None:
        return None
    if not isinstance(metadata, dict):
        return "invalid_metadata_format"
    known = cast("JsonObject", metadata)
    if not isinstance(known.get("event_type"), str) or not isinstance(
        known.get("event_payload"), dict
    ):
        return "invalid_metadata_schema"
    return None


def prompts_error(prompts: object) -> str | None:
    """Check suggested prompts: at most four, each with a title and a message."""
    if not isinstance(prompts, list) or not 1 <= len(cast("list[Any]", prompts)) <= 4:
        return "invalid_arguments"
    listed = cast("list[JsonObject]", prompts)
    return (
        None
        if all(prompt.get("title") and prompt.get("message") for prompt in listed)
        else "invalid_arguments"
    )
