"""Each command answers in the language of a person's app, with real things to tell about."""

import json
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bot.domain.languages import Language
from bot.testing.harness import Harness
from bot.testing.home_files import know
from bot.testing.passing_time import app_with_clock
from bot.testing.scripted_model import ScriptedModel, call, say

TODO = {"action": "create", "title": "Zebra 1", "dueDate": "tomorrow at 9"}
WEEKLY = {"action": "create", "title": "Zebra 2", "dueDate": "tomorrow", "repeats": "every Monday"}
SCHEDULE = {"name": "Zebra 3", "prompt": "Zebra 4.", "cron": "0 9 * * mon"}
NOTE = {"path": "/documents/zebra.md", "content": "Zebra 5."}
AUTOMATION = {
    "path": "/automations/triggers/zebra.md",
    "content": "---\nname: Zebra 6\nevent: todo_woken\n---\nZebra 7.\n",
}
UNLOCK = {"names": ["manage_todos", "schedule_task", "write_file", "save_fact"]}
WORDS = re.compile(r"[A-Za-zÀ-ÿ]{2,}")
NOT_SAID = re.compile(
    r"`[^`]*`|“[^”]*”|/\S+|\w+: \w+_\w+$|Zebra \d\S*"
    r"|\b(?:Ann|Ben|MasterAdmin|Partner|Europe/Berlin)\b"
)
"""Names, commands, paths, quotes and what people wrote are the same in each language."""


@asynccontextmanager
async def furnished(home: Path) -> AsyncGenerator[tuple[Harness, dict[str, str]]]:
    """A house in which there is something to tell, and the references of things in it."""
    know(home, ann="MasterAdmin", ben="Partner")
    made = [
        call("get_capabilities", UNLOCK),
        call("manage_todos", TODO),
        call("manage_todos", WEEKLY),
        call("schedule_task", SCHEDULE),
        call("write_file", NOTE),
        call("save_fact", {"key": "zebra", "value": "Zebra 8."}),
        call("write_file", AUTOMATION),
        say("It waits for your yes."),
    ]
    async with app_with_clock(home, ScriptedModel(made)) as at:
        await at.ask("ann", "please do all that")
        listed = {name: await at.command("ann", name) for name in ("todo", "schedule", "approvals")}
        yield at, {name: _ref(text) for name, text in listed.items()}


def _ref(listed: str) -> str:
    found = re.search(r"^- (\w+)", listed, re.MULTILINE)
    assert found, listed
    return found[1]


def lines_of(text: str) -> Sequence[str]:
    """The lines in which something is said; blocks hold what a call would do, as it is."""
    said = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return [line for line in said.splitlines() if len(WORDS.findall(NOT_SAID.sub("", line))) > 1]


async def test_no_line_of_a_command_is_left_in_english(home: Path):
    left: dict[str, list[str]] = {}
    async with furnished(home) as (at, refs):
        for name, args in _commands(refs):
            at.chat.locale = "en"
            english = lines_of(await at.command("ann", name, args))
            for language in (one for one in Language if one is not Language.EN):
                at.chat.locale = language
                other = lines_of(await at.command("ann", name, args))
                if same := [line for line in other if line in english]:
                    left[f"/{name} {args} ({language})"] = same
    assert not left, json.dumps(left, indent=1, ensure_ascii=False)


def _commands(refs: dict[str, str]) -> Sequence[tuple[str, str]]:
    return [
        ("status", ""),
        ("todo", ""),
        ("todo", "all"),
        ("todo", f"show {refs['todo']}"),
        ("todo", "show nothing"),
        ("todo", "what is this"),
        ("schedule", ""),
        ("schedule", f"show {refs['schedule']}"),
        ("schedule", "show nothing"),
        ("schedule", "what"),
        ("automations", ""),
        ("automations", "show nothing"),
        ("automations", "what"),
        ("approvals", ""),
        ("approvals", "nothing"),
        ("approvals", refs["approvals"]),
        ("approve", "nothing"),
        ("approve", f"{refs['approvals']} target"),
        ("approve", f"{refs['approvals']} 7"),
        ("reject", "nothing"),
        ("grants", ""),
        ("grants", "revoke nothing"),
        ("grants", "what"),
        ("connect", ""),
        ("connect", "nothing"),
        ("disconnect", ""),
        ("disconnect", "notion"),
        ("people", ""),
        ("people", "show nobody"),
        ("people", "merge nobody nothing"),
        ("memory", ""),
        ("memory", "search zebra"),
        ("memory", "forget nothing"),
        ("memory", "forget everywhere"),
        ("memory", "forget everywhere all"),
        ("memory", "forget everywhere wombat"),
        ("memory", "forget everywhere zebra"),
        ("memory", "forget everywhere yes w000000"),
        ("skills", ""),
        ("skills", "nothing"),
        ("skills", "import"),
        ("skills", "staged"),
        ("skills", "approve nothing"),
        ("skills", "reject"),
        ("skills", "reject nothing"),
        ("skills", "remove nothing"),
        ("skills", "promote"),
        ("skills", "promote nothing"),
        ("tools", ""),
        ("tools", "staged"),
        ("tools", "staged nothing"),
        ("tools", "approve nothing"),
        ("tools", "reject nothing"),
        ("tools", "remove nothing"),
        ("skill", "share nothing"),
        ("skill", "remove nothing"),
        ("skill", "new !!!: do it"),
        ("skill", "new big: " + "x" * 300_000),
        ("skill", ""),
        ("skill", "nothing"),
        ("skill", "list nothing"),
        ("skill", "show nothing"),
        ("skill", "found"),
        ("help", ""),
        ("booking", ""),
        ("pair", "nothing"),
        ("takeover", ""),
        ("takeover", "nobody ann"),
        ("takeover", "ann nobody"),
        ("takeover", "ben ann"),
        ("takeover", "discord:7 ann"),
        ("takeover", "discord:ann ann"),
        ("takeover", "ann ann"),
        ("takeover", "vaaaa yes"),
        ("share", ""),
        ("share", "Zebra 9."),
        ("share", "my password: hunter2hunter2"),
        ("share", "back sabcdefgh"),
        ("rights", ""),
        ("rights", "nothing"),
        ("rights", "pm_shell"),
        ("why", ""),
        ("why", "nothing"),
        ("memory", "off"),
        ("memory", "on"),
        ("memory", "off me"),
        ("memory", "on me"),
        ("files", ""),
        ("files", "show zebra.md"),
        ("files", "show nothing.md"),
        ("undo", ""),
        ("plan", ""),
        ("plan", "what"),
        ("answers", ""),
        ("answers", "what"),
        ("mode", ""),
        ("rate", ""),
        ("follow", ""),
        ("leave", ""),
        ("home", ""),
        ("usage", ""),
        ("export", ""),
        ("stop", ""),
        ("new", ""),
    ]
