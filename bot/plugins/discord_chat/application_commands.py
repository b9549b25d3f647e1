"""Our commands as Discord's application commands: their form, and the selection that fits."""

import hashlib
import json
from collections.abc import Iterable, Sequence

from bot.plugin.commands import COMMANDS, LABELS, MenuAction, SkillScope, SlashCommand
from bot.plugin.drawing import Language, Phrase
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in, texts_in
from bot.plugins.discord_chat import words

LIMIT = 100
"""Discord's limit, global and per server; further skills run with `/skill`."""
ABOUT_CHARS = 100
SKILL = "skill"
OF_PERSON, OF_MESSAGE = 2, 3
"""Types of commands that stand in the menus of people and of messages."""
OUR_KINDS = frozenset({1, OF_PERSON, OF_MESSAGE})
_IN_GUILD, _IN_DM, _AMONG_OTHERS = 0, 1, 2
"""Contexts: a server, a direct message with the bot, any other place of a person."""
_SERVERS, _PEOPLE = 0, 1
"""Who can install the app."""
_TEXT = 3
_LOCALES = {
    Language.DE: ("de",),
    Language.FR: ("fr",),
    Language.ES: ("es-ES", "es-419"),
    Language.IT: ("it",),
}
"""What Discord calls these languages."""
_ARGUMENTS = {
    "ask": ("question", words.QUESTION),
    "why": ("reference", words.REFERENCE),
    "approve": ("ref", words.APPROVAL),
    "reject": ("ref", words.APPROVAL),
    "grants": ("change", words.REVOKE),
    "skills": ("what", words.FAMILY),
}
"""The name of the text option of a built-in command; a skill's is the task."""

_USAGES = {"why": "[REF]", "approve": "REF", "reject": "REF", "grants": "[revoke REF]"}
BUILT_IN = tuple(
    SlashCommand(name, COMMANDS[name].about.en, _USAGES.get(name, ""), words=COMMANDS[name])
    for name in ("help", "new", "stop", "status", "why", "compact", "approve", "reject", "grants")
)
"""The commands of an adapter that was given no others."""


def for_all(commands: Sequence[SlashCommand], *, personal: bool = False) -> list[JsonObject]:
    """Commands for all servers and direct messages.

    `personal`: people may install the app for themselves, and use it where the bot is not.
    """
    general = [_IN_GUILD, _IN_DM, *([_AMONG_OTHERS] if personal else ())]
    installs = [_SERVERS, _PEOPLE] if personal else [_SERVERS]
    shared = {one.name for one in commands if one.scope is SkillScope.WORKSPACE}
    listed = [*_fitting(commands), *menus()]
    return [
        {
            **one,
            "contexts": [_IN_DM] if one["name"] in shared else general,
            "integration_types": installs,
        }
        for one in listed
    ]


def menus() -> list[JsonObject]:
    """What stands in the menu of each message, and of each person."""
    return [
        {
            "name": words.en,
            "type": OF_PERSON if action is MenuAction.ABOUT else OF_MESSAGE,
            "name_localizations": localised(words),
        }
        for action, words in LABELS.items()
    ]


def for_guild(commands: Sequence[SlashCommand]) -> list[JsonObject]:
    """Commands of one server: its shared ones."""
    return _fitting([one for one in commands if one.scope is SkillScope.WORKSPACE])


def _fitting(commands: Sequence[SlashCommand]) -> list[JsonObject]:
    """At most LIMIT; built-ins, `/skill` among them, stay.

    A name in another language gives way to a command that is called so, or that is so called in
    that language and stands before it: Discord wants them apart.
    """
    fitting = sorted(commands, key=lambda one: one.scope is not SkillScope.BUILT_IN)[:LIMIT]
    names, taken = {one.name for one in fitting}, set[tuple[str, object]]()
    listed = [written(one) for one in fitting]
    for one in listed:
        others = names - {one["name"]}
        if called := object_in(one, "name_localizations"):
            free = {pair for pair in called.items() if pair[1] not in others} - taken
            one["name_localizations"] = {
                locale: name for locale, name in called.items() if (locale, name) in free
            }
            taken |= free
    return listed


def written(command: SlashCommand) -> JsonObject:
    """One command, with the parts that all variants have."""
    about = " ".join(command.description.split())[:ABOUT_CHARS] or command.name
    plain: JsonObject = {"name": command.name, "type": 1, "description": about}
    plain["options"] = _options(command)
    own = command.words
    if own is None:
        return plain
    return plain | {
        "name_localizations": localised(own.name),
        "description_localizations": localised(own.about),
    }


def localised(words: Phrase) -> JsonObject:
    """Words by Discord's names of languages; English is the command's own."""
    return {
        locale: words.all[language] for language, locales in _LOCALES.items() for locale in locales
    }


def _options(command: SlashCommand) -> list[JsonObject]:
    if command.name == SKILL:
        return [
            _option("name", words.SKILL_OR) | {"required": True, "autocomplete": True},
            _option("task", words.TASK_OR_NAME),
        ]
    if not command.usage:
        return []
    skill = command.scope is not SkillScope.BUILT_IN
    name, about = (
        ("task", words.TASK) if skill else _ARGUMENTS.get(command.name, ("text", command.usage))
    )
    option = _option(name, about) | {"required": not command.usage.startswith("[")}
    return [option | ({"autocomplete": True} if command.completes else {})]


def _option(name: str, about: str | Phrase) -> JsonObject:
    """A text option; what a skill's author wrote about it stands in no other language."""
    english = about if isinstance(about, str) else about.en
    plain = {"name": name, "description": english[:ABOUT_CHARS], "type": _TEXT, "required": False}
    if isinstance(about, str):
        return plain
    return plain | {"description_localizations": localised(about)}


def hashes(commands: Iterable[JsonObject]) -> dict[str, str]:
    """By name: equal for commands that people see as equal, whatever Discord adds to them."""
    return {
        command["name"]: hashlib.sha256(
            json.dumps(_essence(command), sort_keys=True).encode()
        ).hexdigest()[:16]
        for command in commands
    }


def _essence(command: JsonObject) -> JsonObject:
    return {
        "name": command["name"],
        "type": command.get("type") or 1,
        "description": text_in(command, "description"),
        "words": [
            object_in(command, "name_localizations"),
            object_in(command, "description_localizations"),
        ],
        "contexts": _numbers(command, "contexts") or [_IN_GUILD, _IN_DM],
        "installs": _numbers(command, "integration_types") or [_SERVERS],
        "options": [
            {
                "name": text_in(option, "name"),
                "type": number_in(option, "type"),
                "description": text_in(option, "description"),
                "words": object_in(option, "description_localizations"),
                "required": bool(option.get("required")),
                "autocomplete": bool(option.get("autocomplete")),
            }
            for option in objects_in(command, "options")
        ],
    }


def _numbers(command: JsonObject, name: str) -> list[int]:
    return sorted(map(int, filter(str.isdigit, texts_in(command, name))))
