"""Reads the homes of OpenClaw, Hermes Agent and nanobot, by what their documents say of them.

Blocking: runs in a thread.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from bot.workshop.importing.findings import shown
from bot.workshop.moving.foreign_home import ForeignHome, items, mapping, named_lists, word
from bot.workshop.moving.found import FoundHome
from bot.workshop.moving.memories import take_memories
from bot.workshop.moving.openclaw_store import paired_accounts, stored_jobs
from bot.workshop.moving.people import ALLOWED, PLATFORMS, take_people, take_person
from bot.workshop.moving.schedules import Clockwork, take_job
from bot.workshop.moving.servers import take_servers

_SKILL_LEVELS = 3
_INSTRUCTIONS = ("SOUL.md", "AGENTS.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md")
_STATE = "state/openclaw.sqlite"


@dataclass(frozen=True)
class RivalReader:
    """The folder to read, and what its reader must know of here."""

    home: ForeignHome
    clockwork: Clockwork
    slack_team: str

    @property
    def found(self) -> FoundHome:
        return self.home.found

    def people(self, platform: str, allowed: Any, where: str) -> None:
        take_people(self.found, platform, items(allowed), where, self.slack_team)

    def channels(self, channels: Any, where: str) -> None:
        """The allow-lists of the chats, as OpenClaw and nanobot write them."""
        for platform, given in mapping(channels).items():
            if platform in PLATFORMS:
                self.people(platform, list(named_lists(given, ALLOWED)), where)
            elif mapping(given).get("enabled") is not False and isinstance(given, dict):
                self.found.leave(f"the chat {shown(platform, 40)}", "Bellhop doesn't speak there")

    def skills(self, folder: str, but: frozenset[str] = frozenset()) -> None:
        """Folders with a SKILL.md; `but`: names of those that ship with the other assistant."""
        if found := list(self._skills(folder, _SKILL_LEVELS)):
            self.found.skills += [one for one in found if PurePosixPath(one).name not in but]
            if shipped := sum(PurePosixPath(one).name in but for one in found):
                self.found.leave(
                    f"skills in {folder}: {shipped}", "shipped with the other assistant"
                )

    def _skills(self, folder: str, levels: int) -> Iterator[str]:
        for name in self.home.names(folder):
            inner = f"{folder}/{name}"
            if name.startswith(".") or not self.home.is_folder(inner):
                continue
            if "SKILL.md" in self.home.names(inner):
                yield inner
            elif levels:
                yield from self._skills(inner, levels - 1)

    def instructions(self, folder: str) -> None:
        for name in sorted({*_INSTRUCTIONS} & {*self.home.names(folder)}):
            why = "it tells an agent how to be; here that is a file of yours (writing-agents.md)"
            self.found.leave(f"{folder}/{name}".lstrip("/"), why)

    def workspace(self, configured: Any, names: tuple[str, ...]) -> str:
        """The folder of the agent's files; one elsewhere is named, and not read."""
        last = PurePosixPath(word(configured) or names[0]).name
        for name in dict.fromkeys((last, *names)):
            if name and self.home.is_folder(name):
                return name
        if word(configured):
            why = "it lies outside of this folder; copy it into it, and look again"
            self.found.leave(f"the workspace {shown(word(configured), 120)}", why)
        return ""


def read_rival(rival: str, root: Path, clockwork: Clockwork, slack_team: str) -> FoundHome:
    """Everything that can be taken over from a home, and what can't. Nothing is written."""
    found = FoundHome(rival)
    _READERS[rival](RivalReader(ForeignHome(root, found), clockwork, slack_team))
    found.secrets = list(dict.fromkeys(found.secrets))
    return found


def _openclaw(reader: RivalReader) -> None:
    home, found = reader.home, reader.found
    file = next(
        (
            one
            for one in ("openclaw.json", "clawdbot.json", "moltbot.json")
            if one in home.names("")
        ),
        "openclaw.json",
    )
    config = mapping(home.json(file))
    home.name_secrets(file, {key: one for key, one in config.items() if key != "mcp"})
    home.env()
    reader.channels(config.get("channels"), file)
    for owner in items(mapping(config, "commands").get("ownerAllowFrom")):
        platform = word(owner).partition(":")[0]
        if platform in PLATFORMS:
            reader.people(platform, [owner], file)
    _paired_with_openclaw(reader)
    folder = reader.workspace(
        mapping(config, "agents", "defaults").get("workspace"), ("workspace", "workspace-main")
    )
    if folder:
        for name in ("MEMORY.md", "USER.md"):
            take_memories(home, f"{folder}/{name}")
        _daily(home, f"{folder}/memory")
        reader.skills(f"{folder}/skills")
        reader.skills(f"{folder}/.agents/skills")
        reader.instructions(folder)
    for name in home.names(""):
        if name.startswith("workspace-") and name != folder:
            found.leave(name, "it is the workspace of another agent; only one is taken")
    reader.skills("skills")
    jobs = [*_jobs(home, "cron/jobs.json"), *_state_of_openclaw(reader)]
    for job in jobs:
        payload = mapping(job, "payload")
        triggered = isinstance(mapping(job).get("trigger"), dict)
        words = None if triggered else payload.get("message", payload.get("text"))
        take_job(found, job, words, reader.clockwork)
    take_servers(found, mapping(config, "mcp", "servers"), file)
    if home.is_folder("agents"):
        found.leave("agents/", "conversations stay where they were held; so do keys of models")


def _paired_with_openclaw(reader: RivalReader) -> None:
    """The files of older versions."""
    for name in reader.home.names("credentials"):
        platform, dash, rest = name.partition("-")
        if platform in PLATFORMS and dash and rest.endswith("allowFrom.json"):
            path = f"credentials/{name}"
            reader.people(platform, mapping(reader.home.json(path)).get("allowFrom"), path)


def _state_of_openclaw(reader: RivalReader) -> list[Any]:
    """Take the accounts that the database of newer versions lets in; gives its jobs."""
    data = reader.home.database(_STATE)
    if data is None:
        return []
    jobs: list[Any] = []
    try:
        for platform, id_ in paired_accounts(data):
            if word(platform) in PLATFORMS:
                reader.people(word(platform), [id_], _STATE)
        for text in stored_jobs(data):
            try:
                jobs.append(json.loads(text))
            except (TypeError, ValueError, RecursionError):
                reader.found.leave(f"a job in {_STATE}", "its text is no JSON")
    except sqlite3.Error as error:
        reader.found.leave(_STATE, f"SQLite says: {shown(str(error))}")
    return jobs


def _hermes(reader: RivalReader) -> None:
    home, found = reader.home, reader.found
    config = mapping(home.yaml("config.yaml"))
    home.name_secrets("config.yaml", {k: one for k, one in config.items() if k != "mcp_servers"})
    values = home.env()
    for platform in PLATFORMS:
        allowed = values.get(f"{platform.upper()}_ALLOWED_USERS", "")
        reader.people(platform, [one for one in allowed.split(",") if one.strip()], ".env")
        for folder in ("pairing", "platforms/pairing"):
            path = f"{folder}/{platform}-approved.json"
            for id_, about in mapping(home.json(path)).items():
                name = word(mapping(about).get("user_name"))
                take_person(found, platform, id_, name, path, reader.slack_team)
    for name in ("MEMORY.md", "USER.md"):
        take_memories(home, f"memories/{name}")
    shipped = home.text("skills/.bundled_manifest") or ""
    reader.skills("skills", frozenset(line.partition(":")[0] for line in shipped.splitlines()))
    for job in _jobs(home, "cron/jobs.json"):
        runs = mapping(job).get("script")
        take_job(found, job, None if runs else mapping(job).get("prompt"), reader.clockwork)
    take_servers(found, config.get("mcp_servers"), "config.yaml")
    reader.instructions("")
    for name in ("sessions", "profiles", "plugins"):
        if home.is_folder(name):
            found.leave(f"{name}/", _LEFT_OF_HERMES[name])


_LEFT_OF_HERMES = {
    "sessions": "conversations stay where they were held",
    "profiles": "each is a home of its own: name its folder",
    "plugins": "they are programs for the other assistant",
}


def _nanobot(reader: RivalReader) -> None:
    home, found = reader.home, reader.found
    config = mapping(home.json("config.json"))
    home.name_secrets("config.json", {k: one for k, one in config.items() if k != "tools"})
    tools = mapping(config, "tools")
    home.name_secrets("config.json", {"tools.web": tools.get("web")})
    reader.channels(
        {k: one for k, one in mapping(config, "channels").items() if isinstance(one, dict)},
        "config.json",
    )
    for platform, ids in mapping(home.json("pairing.json"), "approved").items():
        if platform in PLATFORMS:
            reader.people(platform, ids, "pairing.json")
    configured = mapping(config, "agents", "defaults").get("workspace")
    if folder := reader.workspace(configured, ("workspace",)):
        for name in ("USER.md", "memory/MEMORY.md"):
            take_memories(home, f"{folder}/{name}")
        for name in ("HISTORY.md", "history.jsonl"):
            if name in home.names(f"{folder}/memory"):
                found.leave(f"{folder}/memory/{name}", "conversations stay where they were held")
        reader.skills(f"{folder}/skills")
        reader.instructions(folder)
    places = dict.fromkeys(("cron/jobs.json", f"{folder}/cron/jobs.json"))
    for job in [one for path in places for one in _jobs(home, path)]:
        take_job(found, job, mapping(job, "payload").get("message"), reader.clockwork)
    take_servers(found, tools.get("mcpServers", tools.get("mcp_servers")), "config.json")


def _jobs(home: ForeignHome, path: str) -> list[Any]:
    stored = home.json(path)
    return items(stored) or items(mapping(stored).get("jobs"))


def _daily(home: ForeignHome, folder: str) -> None:
    """Daily notes, the newest first: the oldest are left out if there is no room."""
    for name in reversed(home.names(folder)):
        if name.endswith(".md"):
            take_memories(home, f"{folder}/{name}")


_READERS: dict[str, Callable[[RivalReader], None]] = {
    "openclaw": _openclaw,
    "hermes": _hermes,
    "nanobot": _nanobot,
}
