"""Writes a draft's files from the agent's words.

The play of a drafted skill is written from the conversation that the skill comes from, and read
like any other play. `bellhop skills check` plays it once the skill is live.
"""

import json
from collections.abc import Sequence

import yaml

from bot.plugin.drafts import DESCRIPTION_CHARS, EXAMPLE_CHARS, one_line, plain_line
from bot.plugin.tools import Access, JsonObject


def tool_text(
    name: str,
    description: str,
    parameters: JsonObject,
    access: Access,
    risk: str | None,
    implementation: str,
) -> str:
    """A tool file: who may use it comes first, so that no text below can hide it."""
    described = "\n".join(plain_line(line) for line in description.splitlines()).strip()
    parts = [
        f"# {name}",
        f"## Access\n{access.describe()}",
        *([f"## Risk\n{risk}"] if risk else []),
        f"## Description\n{described}",
        f"## Parameters\n{json.dumps(parameters, indent=2)}",
        f"## Implementation\n{implementation.strip()}",
    ]
    return "\n\n".join(parts) + "\n"


def skill_text(  # noqa: PLR0913 - the keys of its front matter
    name: str,
    description: str,
    body: str,
    access: Access,
    command: str | None,
    *,
    auto: bool,
    words: Sequence[str] = (),
    example: str = "",
) -> str:
    """A SKILL.md."""
    told = one_line(example, EXAMPLE_CHARS)
    front = [
        f"name: {name}",
        f"description: {json.dumps(one_line(description, DESCRIPTION_CHARS), ensure_ascii=False)}",
        f"roles: {access.describe()}",
        *([f"command: {command}"] if command else []),
        *([] if auto else ["auto_invoke: false"]),
        *([f"example: {json.dumps(told, ensure_ascii=False)}"] if told else []),
        *([f"words: {json.dumps(list(words), ensure_ascii=False)}"] if words else []),
    ]
    return "\n".join(["---", *front, "---", "", body.strip(), ""])


def manifest_text(name: str, description: str, given: JsonObject, access: Access) -> str:
    """A manifest with the id, description and roles that were given beside it."""
    value = {
        **given,
        "skill_id": name,
        "description": one_line(description, 500),
        "access": access.describe(),
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def play_text(
    asked: str, calls: Sequence[tuple[str, JsonObject]], answer: str, has: Sequence[str]
) -> str:
    """A play of one request: the calls that were made for it, and the answer that was liked."""
    replies: list[JsonObject] = [{"call": name, "with": given} for name, given in calls]
    play = {
        "asked": asked,
        "replies": [*replies, {"say": answer}],
        "result": {"has": list(has), "calls": list(dict.fromkeys(name for name, _ in calls))},
    }
    return yaml.safe_dump(play, allow_unicode=True, sort_keys=False, width=100)
