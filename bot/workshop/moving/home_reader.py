"""What the importer of another assistant's home reads with.

Accounts come from allow-lists, MCP servers become lines for bellhop.yaml, with names in place of
secrets. Blocking: runs in a thread.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ValidationError

from bot.domain.json_types import JsonObject
from bot.log import is_secret_name, redact
from bot.workshop.moving.foreign_home import ForeignHome, items, mapping, named_lists, word
from bot.workshop.moving.found import FoundHome, FoundPerson, FoundServer, HomeImporter
from bot.workshop.moving.taking import Clockwork, take_job, take_memories
from bot.workshop.review.findings import shown

_NO_LETTER = re.compile(r"[^A-Z0-9]+")


class _Unusable(ValueError):
    """Why a server can't stand in bellhop.yaml."""


def _settings(name: str, given: dict[str, Any]) -> JsonObject:
    if given.get("enabled") is False or given.get("disabled") is True:
        raise _Unusable("it is switched off there")
    if word(given.get("command")):
        taken: JsonObject = {"command": _safe(word(given["command"]))}
        if args := _arguments(given.get("args")):
            taken["args"] = args
        if env := mapping(given, "env"):
            taken["env"] = _named(name, env)
    elif word(given.get("url")):
        if word(given.get("type", given.get("transport"))).casefold() == "sse":
            raise _Unusable("it speaks SSE; ask its maker for the address of streamable HTTP")
        taken = {"url": _address(word(given["url"]))}
        if headers := mapping(given, "headers"):
            taken["headers"] = _named(name, headers)
    else:
        raise _Unusable("it names neither a program nor an address")
    return {**taken, "roles": "MasterAdmin"}


def _arguments(given: Any) -> list[str]:
    """Raises Unusable for a key among them: only `env` can name one in place of its value."""
    args = [word(one) for one in items(given)]
    for before, one in zip(("", *args), args, strict=False):
        flag, equals, _ = one.partition("=")
        if (before.startswith("-") and is_secret_name(before)) or (equals and is_secret_name(flag)):
            raise _Unusable("an argument looks like a secret; write the server with it in env")
        _safe(one)
    return args


def _safe(text: str) -> str:
    if redact(text) != text:
        raise _Unusable("an argument looks like a secret; write the server with it in env")
    return text


def _address(url: str) -> str:
    """The address without what may hold a key."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        raise _Unusable("its address can't be read") from None
    return _safe(urlunsplit((parts.scheme, host, parts.path, "", "")))


def _named(server: str, values: dict[str, Any]) -> dict[str, str]:
    """A variable in place of each value: which of them is a secret, only its maker knows."""
    return {key: f"${{{_NO_LETTER.sub('_', f'MCP_{server}_{key}'.upper())}}}" for key in values}


_ALLOW_LISTS = frozenset({"allowFrom", "allow_from", "groupAllowFrom", "group_allow_from", "users"})
_IDS = {
    "discord": re.compile(r"\d{15,20}"),
    "slack": re.compile(r"[UW][A-Z0-9]{6,}"),
    "telegram": re.compile(r"[1-9]\d{3,14}"),
}
PLATFORMS = tuple(_IDS)
_DRESSED = re.compile(r"(?:discord|slack|telegram|tg|user):|<@!?|>", re.IGNORECASE)
_NAME_CHARS = 60


_SKILL_LEVELS = 3
_INSTRUCTIONS = ("SOUL.md", "AGENTS.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md")


@dataclass(frozen=True)
class HomeReader:
    """The folder to read, and what decides whether something can be taken.

    What is taken is judged here, whoever reads: memories stay marked as from outside, secrets are
    named and never kept, a job has to fit a schedule. `home` reads files; what nothing takes is
    told with `home.found.leave(what, why)`.
    """

    home: ForeignHome
    clockwork: Clockwork
    slack_team: str
    """The workspace whose people the ids of Slack are; empty if nobody said it."""
    mcp: type[BaseModel] | None = None
    """What `mcp:` in bellhop.yaml takes; None where nothing here calls MCP servers."""

    @property
    def found(self) -> FoundHome:
        return self.home.found

    def person(self, platform: str, id_: Any, name: str, where: str) -> None:
        """Take an account that may write there, on one of PLATFORMS."""
        found, text = self.found, word(id_)
        account = _DRESSED.sub("", text).partition("|")[0].strip()
        if text == "*":
            found.leave(f"“*” in {where}", "everybody may write here anyway, as a Guest")
        elif not text:
            return
        elif not _IDS[platform].fullmatch(account):
            why = f"it is no id on {platform.title()}, and names change"
            found.leave(f"{shown(text, 60)} in {where}", why)
        elif platform == "slack" and not self.slack_team:
            found.leave(f"{account} in {where}", "which workspace? Give --slack-team T0123ABCD")
        else:
            key = f"{self.slack_team}:{account}" if platform == "slack" else account
            before = found.people.get((platform, key))
            known = " ".join(shown(name, _NAME_CHARS).split()) or (before.name if before else "")
            found.people[platform, key] = FoundPerson(platform, key, known)

    def people(self, platform: str, allowed: Any, where: str) -> None:
        """Take the accounts of a list."""
        for one in items(allowed):
            self.person(platform, one, "", where)

    def channels(self, channels: Any, where: str) -> None:
        """Take the allow-lists of chats by platform, as OpenClaw and nanobot write them."""
        for platform, given in mapping(channels).items():
            if platform in PLATFORMS:
                self.people(platform, list(named_lists(given, _ALLOW_LISTS)), where)
            elif mapping(given).get("enabled") is not False and isinstance(given, dict):
                self.found.leave(f"the chat {shown(platform, 40)}", "Bellhop doesn't speak there")

    def skills(self, folder: str, but: frozenset[str] = frozenset()) -> None:
        """Take folders with a SKILL.md; `but`: those that ship with the other assistant."""
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
        """Name the files that tell an agent how to be, which are not taken."""
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

    def memories(self, path: str) -> None:
        """Take the entries of a markdown file: bullets and paragraphs, or pieces between `§`."""
        take_memories(self.home, path)

    def daily_notes(self, folder: str) -> None:
        """Take the newest first: the oldest are left out if there is no room."""
        for name in reversed(self.home.names(folder)):
            if name.endswith(".md"):
                self.memories(f"{folder}/{name}")

    def jobs(self, path: str) -> list[Any]:
        """The jobs of a file: a list, or a list under `jobs`."""
        stored = self.home.json(path)
        return items(stored) or items(mapping(stored).get("jobs"))

    def job(self, job: Any, words: Any) -> None:
        """Take a job of `{name, enabled, schedule}` that hands these words to an agent."""
        take_job(self.found, job, words, self.clockwork)

    def servers(self, servers: Any, where: str) -> None:
        """Take the MCP servers of a mapping by name, in the form that all assistants share."""
        found = self.found
        for name, given in mapping(servers).items():
            what = f"the MCP server {shown(name, 40)} in {where}"
            try:
                if self.mcp is None:
                    raise _Unusable("the plug-in mcp is not on here (plugins in bellhop.yaml)")
                taken = _settings(name, mapping(given))
                self.mcp.model_validate({"servers": {name: taken}})
            except ValidationError as error:
                why = error.errors()[0]["msg"].removeprefix("Value error, ")
                found.leave(what, shown(why, 200))
                continue
            except _Unusable as error:
                found.leave(what, str(error))
                continue
            found.servers.append(FoundServer(name, taken))
            for kind in ("env", "headers"):
                named = mapping(taken, kind).values()
                found.secrets += [f"{one[2:-1]} for {what}" for one in named]
            if "?" in word(mapping(given).get("url")):
                found.secrets.append(f"what follows “?” in the address of {what}")


def read_home(
    importer: HomeImporter,
    root: Path,
    clockwork: Clockwork,
    slack_team: str,
    mcp: type[BaseModel] | None = None,
) -> FoundHome:
    """Everything that can be taken over from a home, and what can't. Nothing is written."""
    found = FoundHome(importer.name, importer.title)
    module, _, function = importer.read.partition(":")
    read = getattr(import_module(module), function)
    read(HomeReader(ForeignHome(root, found), clockwork, slack_team, mcp))
    found.secrets = list(dict.fromkeys(found.secrets))
    return found
