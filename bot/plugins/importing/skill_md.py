"""SKILL.md as OpenClaw, Hermes and agentskills.io write it, and plain markdown files.

See docs/rules.md#imports.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, cast

from bot.plugin.imports import (
    MOST_LIMITS,
    AuditedText,
    BadJson,
    Confinement,
    Finding,
    ForeignSkill,
    Severity,
    decode,
    read_json5,
    shown,
)
from bot.plugin.tools import JsonObject
from bot.plugins.importing.formats import Format
from bot.plugins.importing.front_matter import ForeignFrontMatter, read_front_matter

KEYS = {"allowed-tools": "tools", "hosts": "hosts", "paths": "paths"}
_HERE = {
    "read": "read_file",
    "write": "write_file",
    "edit": "edit_file",
    "multiedit": "edit_file",
    "ls": "list_directory",
    "glob": "list_directory",
    "bash": "pm_shell",
    "shell": "pm_shell",
    "webfetch": "web_fetch",
    "websearch": "web_search",
    "todowrite": "manage_todos",
    "todoread": "manage_todos",
    "task": "call_agent",
}
"""Bellhop's names of other programs' tools."""
_OURS = re.compile(r"[a-z][a-z0-9_*-]*|mcp__[\w*-]+")


@dataclass(frozen=True)
class ForeignLimits:
    """The parsed limits, and notes for a reviewer."""

    confinement: Confinement | None
    findings: tuple[Finding, ...]


def read_limits(path: str, front: ForeignFrontMatter) -> ForeignLimits:
    """They only restrict. Never raises: what can't be read is left out, and so allows nothing."""
    findings: list[Finding] = []
    lists: dict[str, list[str] | None] = {}
    for key, name in KEYS.items():
        if front.values.get(key) is None:
            continue
        given = _items(front.values[key], spaced=name == "tools")
        kept = [here for item in given if (here := _here(name, item))][:MOST_LIMITS]
        lists[name] = list(dict.fromkeys(kept))
        if left := [item for item in given if not _here(name, item)]:
            text = f"{key}: {shown(', '.join(left), 200)} means nothing here and allows nothing"
            findings.append(Finding(Severity.INFO, "limits", path, front.line(key), text))
    confinement = Confinement.parse("", lists)
    if confinement is not None:
        line = front.line(next(key for key in KEYS if front.values.get(key) is not None))
        text = f"its turns are held to what it states: {shown(confinement.describe(), 400)}"
        findings.append(Finding(Severity.INFO, "limits", path, line, text))
    return ForeignLimits(confinement, tuple(findings))


def _items(value: Any, *, spaced: bool) -> list[str]:
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    texts = [
        str(item)
        for item in items
        if isinstance(item, str | int | float) and not isinstance(item, bool)
    ]
    if spaced:  # `Bash(git:*) Read`: what stands in brackets is another program's
        texts = [
            part
            for text in texts
            for part in re.sub(r"\([^()]*\)", " ", text).replace(",", " ").split()
        ]
    else:
        texts = [part for text in texts for part in text.split(",")]
    return [text.strip() for text in texts if text.strip()]


def _here(name: str, item: str) -> str:
    """An entry in Bellhop's form; empty if it is invalid."""
    if name == "tools":
        item = _HERE.get(item.casefold(), item)
        if not _OURS.fullmatch(item):
            return ""
    try:
        limits = Confinement.parse("", {name: [item]})
    except ValueError:
        return ""
    values: tuple[str, ...] = getattr(limits, name)
    return values[0]


_PHRASES, _PHRASE_CHARS = 100, 80
"""The most phrases of a skill that are kept, and the longest."""
_HEADING = re.compile(r"#\s+(\S.*?)\s*#*$")
_OPENCLAW = ("openclaw", "clawdbot", "clawdis", "moltbot")
"""Names that the block of this one program has had."""
_OPENCLAW_KEYS = frozenset(
    {"user-invocable", "disable-model-invocation", "command-dispatch", "command-tool", "homepage"}
)
_HERMES_KEYS = frozenset({"platforms", "required_environment_variables"})
_TAKEN = frozenset(
    {"name", "description", "user-invocable", "disable-model-invocation", "command", "auto_invoke"}
)
SAID_OF_METADATA = {
    "requires": "needs",
    "os": "is for the systems",
    "install": "wants to install (never done by itself)",
    "primaryEnv": "wants the key",
    "config": "wants the settings",
    "requires_tools": "needs the tools",
    "requires_toolsets": "needs the toolsets",
}
_GRANTS = ("roles", "agents", "tools", "always")
"""Keys that would give the file rights; they are never adopted."""


def read_skill_md(
    path: str, data: bytes, files: Mapping[str, bytes], wanted: Format
) -> ForeignSkill:
    """One SKILL.md (or plain .md) with the files of its folder. Never raises for what is in it."""
    text, unreadable = decode(data, path)
    front = read_front_matter(text, path)
    reader = _Reader(path, front, [*unreadable, *front.findings])
    blocks = reader.metadata()
    reader.tell(blocks)
    limits = read_limits(path, front)
    reader.findings += limits.findings
    skill = ForeignSkill(
        name=reader.name(),
        description=reader.description(),
        body=front.body,
        format=wanted if wanted is not Format.AUTO else _format(front.values, blocks),
        file=path,
        line=front.line("name"),
        files=files,
        command=reader.command(),
        auto_invoke=reader.auto_invoke(),
        x_source={
            **{key: value for key, value in front.values.items() if key not in _TAKEN},
            **blocks.foreign,
        },
        texts=(AuditedText(path, 1, text),),
        words=reader.words(),
        limits=limits.confinement,
    )
    return replace(skill, findings=tuple(reader.findings))


@dataclass(frozen=True)
class _Blocks:
    """The programs' own blocks of `metadata`."""

    openclaw: JsonObject = field(default_factory=dict[str, Any])
    hermes: JsonObject = field(default_factory=dict[str, Any])
    foreign: JsonObject = field(default_factory=dict[str, Any])
    """`metadata` as it was understood, when it was a text."""


def _format(values: Mapping[str, Any], blocks: _Blocks) -> Format:
    if blocks.openclaw or _OPENCLAW_KEYS & values.keys():
        return Format.OPENCLAW
    return Format.HERMES if blocks.hermes or _HERMES_KEYS & values.keys() else Format.GITHUB


@dataclass
class _Reader:
    path: str
    front: ForeignFrontMatter
    findings: list[Finding]

    def metadata(self) -> _Blocks:
        value = self.front.values.get("metadata")
        foreign: JsonObject = {}
        if isinstance(value, str) and value.strip():
            try:
                value = read_json5(value)
                foreign = {"metadata": value}
            except BadJson as error:
                self._note(
                    Severity.WARN, "metadata", "metadata", f"metadata {error}; it was kept as text"
                )
        if not isinstance(value, dict):
            return _Blocks()
        blocks = cast("JsonObject", value)
        return _Blocks(_block(blocks, _OPENCLAW), _block(blocks, ("hermes",)), foreign)

    def name(self) -> str:
        given = self._text("name")
        if given:
            return given
        folder = PurePosixPath(self.path)
        named_after = folder.parent.name if folder.name.casefold() == "skill.md" else ""
        guessed = named_after or self._heading() or folder.stem
        self._note(
            Severity.INFO, "name", "name", f"name is missing; {shown(guessed, 60)!r} was taken"
        )
        return guessed

    def words(self) -> tuple[str, ...]:
        """`words`, at the top or in `metadata`: a list, or a text with commas."""
        metadata = self.front.values.get("metadata")
        inner = cast("JsonObject", metadata).get("words") if isinstance(metadata, dict) else None
        value = self.front.values.get("words", inner)
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list):
            return ()
        texts = [one.strip() for one in cast("list[Any]", items) if isinstance(one, str)]
        return tuple(one for one in texts if 0 < len(one) <= _PHRASE_CHARS)[:_PHRASES]

    def description(self) -> str:
        given = self._text("description")
        if given:
            return given
        paragraph = next(_paragraphs(self.front.body), "")
        guessed = paragraph or (
            "Instructions of "
            f"{self._text('name') or self._heading() or PurePosixPath(self.path).stem}."
        )
        self._note(
            Severity.INFO,
            "description",
            "description",
            "description is missing; the first paragraph was taken",
        )
        return guessed

    def command(self) -> str | None:
        if (given := self._text("command")) or self._flag("user-invocable", default=True):
            return given or self._text("name") or None
        if not self.auto_invoke():
            text = (
                "is neither for people nor for the model; it was given a slash command so that it "
                "can be used at all"
            )
            self._note(Severity.WARN, "invocation", "user-invocable", text)
            return self._text("name") or "skill"
        return None

    def auto_invoke(self) -> bool:
        return self._flag("auto_invoke", default=True) and not self._flag(
            "disable-model-invocation", default=False
        )

    def tell(self, blocks: _Blocks) -> None:
        """Notes for a reviewer on keys without effect here."""
        for block in (blocks.openclaw, blocks.hermes, self.front.values):
            for key, words in SAID_OF_METADATA.items():
                if block.get(key):
                    severity = Severity.WARN if key == "install" else Severity.INFO
                    self._note(
                        severity,
                        "requires",
                        "metadata",
                        f"the skill {words}: {shown(_words(block[key]), 300)}",
                    )
        if variables := self.front.values.get("required_environment_variables"):
            text = (
                "the skill wants environment variables, which no skill gets: "
                f"{shown(_words(variables), 300)}"
            )
            self._note(Severity.WARN, "requires", "required_environment_variables", text)
        if self.front.values.get("command-dispatch"):
            tool = shown(self._text("command-tool") or "none", 60)
            text = (
                f"its slash command would call the tool {tool} directly; here it goes through the "
                "agent and the gate"
            )
            self._note(Severity.WARN, "dispatch", "command-dispatch", text)
        for key in _GRANTS:
            if key in self.front.values:
                text = f"{key} is not taken from the file; say it yourself"
                self._note(Severity.INFO, "grant", key, text)

    def _heading(self) -> str:
        found = (match for line in self.front.body.split("\n") if (match := _HEADING.match(line)))
        match = next(found, None)
        return match[1] if match else ""

    def _text(self, key: str) -> str:
        value = self.front.values.get(key)
        if isinstance(value, list | dict) or value is None or isinstance(value, bool):
            return ""
        return " ".join(str(value).split())

    def _flag(self, key: str, *, default: bool) -> bool:
        value = self.front.values.get(key)
        if isinstance(value, str):
            value = {
                "true": True,
                "yes": True,
                "on": True,
                "false": False,
                "no": False,
                "off": False,
            }.get(value.strip().casefold())
        return value if isinstance(value, bool) else default

    def _note(self, severity: Severity, rule: str, key: str, text: str) -> None:
        self.findings.append(Finding(severity, rule, self.path, self.front.line(key), text))


def _block(blocks: JsonObject, names: tuple[str, ...]) -> JsonObject:
    found = next((blocks[name] for name in names if isinstance(blocks.get(name), dict)), None)
    return cast("JsonObject", found or {})


def _paragraphs(body: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", body):
        lines = [line.strip() for line in block.split("\n")]
        words = " ".join(
            line
            for line in lines
            if line and not line.startswith(("#", "```", "~~~", "<!--", "---", "!["))
        )
        if words:
            yield words


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_words(item)}" for key, item in cast("JsonObject", value).items())
    if isinstance(value, list):
        return ", ".join(_words(item) for item in cast("list[Any]", value))
    return " ".join(str(value).split())
