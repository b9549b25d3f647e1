"""Reads a home of OpenClaw, by what its documents say of it."""

import json
import sqlite3
from typing import Any

from bot.plugin.moving import PLATFORMS, HomeReader, items, mapping, shown, word
from bot.plugins.openclaw.state_store import paired_accounts, stored_jobs

_STATE = "state/openclaw.sqlite"


def read(reader: HomeReader) -> None:
    """Take what its documents say that a home holds."""
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
    _pairings(reader)
    folder = reader.workspace(
        mapping(config, "agents", "defaults").get("workspace"), ("workspace", "workspace-main")
    )
    if folder:
        for name in ("MEMORY.md", "USER.md"):
            reader.memories(f"{folder}/{name}")
        reader.daily_notes(f"{folder}/memory")
        reader.skills(f"{folder}/skills")
        reader.skills(f"{folder}/.agents/skills")
        reader.instructions(folder)
    for name in home.names(""):
        if name.startswith("workspace-") and name != folder:
            found.leave(name, "it is the workspace of another agent; only one is taken")
    reader.skills("skills")
    jobs = [*reader.jobs("cron/jobs.json"), *_state(reader)]
    for job in jobs:
        payload = mapping(job, "payload")
        triggered = isinstance(mapping(job).get("trigger"), dict)
        words = None if triggered else payload.get("message", payload.get("text"))
        reader.job(job, words)
    reader.servers(mapping(config, "mcp", "servers"), file)
    if home.is_folder("agents"):
        found.leave("agents/", "conversations stay where they were held; so do keys of models")


def _pairings(reader: HomeReader) -> None:
    """The files of older versions."""
    for name in reader.home.names("credentials"):
        platform, dash, rest = name.partition("-")
        if platform in PLATFORMS and dash and rest.endswith("allowFrom.json"):
            path = f"credentials/{name}"
            reader.people(platform, mapping(reader.home.json(path)).get("allowFrom"), path)


def _state(reader: HomeReader) -> list[Any]:
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
