"""The chat commands of plug-ins: each has names of its own that every platform takes."""

from collections.abc import Iterator, Mapping, Sequence

from bot.assembly.plugged import Plugged
from bot.domain.chat_commands import ChatCommand
from bot.domain.native_commands import SEND_FILES
from bot.errors import SettingsError
from bot.sessions.commands.commands import HELP, LEAVING, OWN_NAME, SKILL

NAME_CHARS = 32
ABOUT_CHARS = 100
"""The most that Discord takes of both."""
_RESERVED = (HELP, OWN_NAME, SKILL, *LEAVING, "answer", SEND_FILES.partition("_")[0])
"""Beside the built-in ones: what the terminal understands, and verbs of buttons."""


def commands_of_plugins(
    plugged: Sequence[Plugged],
    of_sites: Mapping[str, Sequence[ChatCommand]],
    built_in: Sequence[ChatCommand],
) -> tuple[ChatCommand, ...]:
    """In the order of the plug-ins. `of_sites`: those of their pages, by the name of the plug-in.

    Raises SettingsError for those whose name is taken, or that a platform would refuse.
    """
    owners = dict.fromkeys(_RESERVED, "Bellhop")
    owners |= {name: "Bellhop" for one in built_in for name in (one.name, *one.aliases)}
    found: list[ChatCommand] = []
    problems: list[str] = []
    for one in plugged:
        for command in (*one.parts.chat_commands, *of_sites.get(one.plugin.name, ())):
            found.append(command)
            problems += [f"{_of(one)} {what}; its author must {do}" for what, do in _wrong(command)]
            for name in (command.name, *command.aliases):
                if name in owners:
                    problems.append(
                        f"{_of(one)} has a chat command /{name}, and so has {owners[name]}; remove "
                        f"{one.plugin.name} from plugins, or have its author rename the command"
                    )
                owners.setdefault(name, _of(one))
    if problems:
        raise SettingsError("\n".join(problems))
    return tuple(found)


def _of(one: Plugged) -> str:
    return f"the plug-in {one.plugin.name!r}"


def _wrong(command: ChatCommand) -> Iterator[tuple[str, str]]:
    """What keeps a command from being registered, and what its author must do."""
    for name in (command.name, *command.aliases):
        if not (name.isascii() and _is_name(name, "_")):
            told = f"has a chat command called {name!r}"
            yield told, f"take up to {NAME_CHARS} small letters, digits and underscores"
    if command.about is None:
        yield f"doesn't say what its chat command /{command.name} does", "say it in `about`"
        return
    for language, about in command.words.about.all.items():
        if not 1 <= len(about) <= ABOUT_CHARS:
            told = f"says in {len(about)} characters what /{command.name} does ({language})"
            yield told, f"say it in 1 to {ABOUT_CHARS}"
    for language, name in command.words.name.all.items():
        if not _is_name(name, "_-"):
            told = f"calls /{command.name} {name!r} ({language})"
            yield told, f"take up to {NAME_CHARS} small letters, digits, underscores and dashes"


def _is_name(name: str, joined_by: str) -> bool:
    letters = "".join(char for char in name if char not in joined_by)
    return len(name) <= NAME_CHARS and letters.isalnum() and name == name.lower()
