"""Settings of earlier versions, which bellhop.yaml may still have, and what became of each.

A start names the line. It goes on with what holds now, or with the value below its name of today,
and ends where a home would be another without it. A section stands for all in it, `*` for any name.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, assert_never, cast

from bot.yaml_file import YamlPath


@dataclass(frozen=True)
class Renamed:
    """A setting that has another name now; its value counts there."""

    to: str
    """The name; each `*` stands for what the one in the earlier name stood for."""

    def path_for(self, earlier: YamlPath, at: YamlPath) -> YamlPath:
        names = (str(found) for part, found in zip(earlier, at, strict=True) if part == "*")
        parts = self.to.split(".")
        return tuple(part.replace("*", next(names)) if "*" in part else part for part in parts)


@dataclass(frozen=True)
class Withdrawn:
    """A setting without which a home is not what it was: no start ignores it.

    `remedy` says what to do in place of it. A start goes on where it says `usual`, or nothing.
    """

    remedy: str
    usual: str | None = None


@dataclass(frozen=True)
class Implied:
    """A setting that follows from whether `by` is set: no start ignores one that says otherwise."""

    by: str
    set_: str
    unset: str
    remedy: str


Retired: TypeAlias = str | Renamed | Withdrawn | Implied
"""What became of a setting. A text says what holds now, whatever it said."""

_BUDGETS = (
    *("per_turn", "per_person_day", "per_channel_day", "total_day"),
    *("per_guest_day", "strangers_day", "per_schedule_month"),
)

RETIRED: Mapping[str, Retired] = {
    **{
        f"budgets.{span}_{measure}": Renamed(f"budgets.{span}.{measure}")
        for span in _BUDGETS
        for measure in ("usd", "model_calls", "tool_calls")
    },
    "services.*.authorize_url": Renamed("services.*.oauth.authorize_url"),
    "services.*.token_url": Renamed("services.*.oauth.token_url"),
    "services.*.revoke_url": Renamed("services.*.oauth.revoke_url"),
    **{
        f"memory.{tier}_chars": Renamed(f"memory.chars.{tier}")
        for tier in ("shared", "agent", "user")
    },
    "model.system_notes": "system messages are sent where `unlock` is inline",
    "model.cache_ttl": "a conversation is cached for 5 minutes, renewed by each request",
    "model.fallback.system_notes": "the fallback is sent no system messages",
    "model.fallback.cache_ttl": "a conversation is cached for 5 minutes, renewed by each request",
    "model.attempts": "three tries are made for one answer",
    "model.fallback.attempts": "three tries are made for one answer",
    "tools.catalogue_tokens": "one-liners of tools have room for 600 tokens",
    "tools.timeout_s": "a tool has 60 seconds, or what `## Timeout` in its file says",
    "tools.output_chars": "a result has at most 16,000 characters",
    "access.contacts": Withdrawn(
        "call the file with the known people contacts.yaml", usual="contacts.yaml"
    ),
    "policy.file": Withdrawn("call the file with the rules policy.yaml", usual="policy.yaml"),
    "tools.shell.path": "a script's PATH names the system's programs, and it can set another",
    "tools.shell.kill_grace_s": "a script that is to stop is killed after 2 seconds",
    "tools.shell.processes": "a script may have 256 processes",
    "tools.shell.scratch_mb": "a script may write 256 MB",
    "memory.distill_at": "the nightly learning begins at 02:00",
    "memory.recall": "a session opens with memories that match the first message",
    "memory.goal_agents": "summaries of nikki, lia and marvin keep goals",
    "memory.embedder.timeout_s": "a search waits 5 seconds for the embedder",
    "agents.overrides.*.timeout_s": "a program may take 90 seconds for a step of its own",
    "agents.overrides.*.memory_mb": "each process of a program may have 1,024 MB",
    "agents.plan_tasks": "a plan has at least 3 tasks",
    "agents.plan_parallel": "4 tasks of a plan run at the same time",
    "agents.swarm_ants": "3 ants work side by side where no skill says how many",
    "agents.turns": "the agent's file counts, or agents.overrides.NAME.turns",
    "agents.swarm_parallel": "at most 5 ants of a swarm work at the same time",
    "sessions.files_total_mb": "files of open requests may fill 2,000 MB, those of one person 200",
    "sessions.question_hours": "an unanswered question is dropped after 24 hours",
    "sessions.files_person_mb": "files of open requests may fill 2,000 MB, those of one person 200",
    "turns.working": "32 requests use this machine at the same time, at most",
    "turns.begun": "1,000 requests run at the same time, at most",
    "turns.reserved": "8 of 32 places are kept for requests that somebody waits for",
    "catch_up.hours": "messages older than a day are not answered",
    "catch_up.older": "each place is told how many older messages were not answered",
    "schedules": "a person has at most 30, each due every 15 minutes at most; 3 failed runs in "
    "a row pause one; a reminder that names only a day rings at 09:00",
    "automations": "a person has at most 20 triggers; 3 failed runs in a row or more than 20 runs "
    "within an hour pause one; events of 10 seconds join, or what its file says; a webhook has at "
    "most 64 KB, and its time may be off by 5 minutes",
    "mcp.servers.*.relist_s": "a server's tools are asked for again every 5 minutes",
    "web.timeout_s": "a request has 30 seconds",
    "web.max_bytes": "an answer has at most 5 MB",
    "browser.timeout_s": "a step has 20 seconds",
    "browser.download_bytes": "a download has at most 5 MB",
    "browser.traffic_bytes": "a call loads at most 60 MB",
    "browser.sessions": "4 sessions may be open at the same time",
    "browser.idle_minutes": "a session is closed when it was unused for 30 minutes",
    "transcription.max_mb": "a recording may have 25 MB",
    "transcription.max_minutes": "a recording may last 30 minutes",
    "transcription.timeout_s": "writing a recording down may take 5 minutes",
    "transcription.ffmpeg": "ffmpeg is used where it is on PATH",
    "console.session_hours": "somebody stays signed in for 12 hours",
    "console.metrics": "figures are at /metrics where BELLHOP_METRICS_KEY is set",
    "telegram.mode": Implied(
        "telegram.url",
        "webhook",
        "polling",
        "Telegram sends to Bellhop where telegram.url is set, so set it for a webhook, or "
        "remove it for polling, and remove this line",
    ),
    "booking.days_ahead": "the coming 14 days are offered",
    "booking.notice_hours": "times in less than 12 hours are not offered",
    "booking.most_per_day": "10 bookings with one person are taken in 24 hours",
    "browser.executable": Renamed("browser.chromium"),
    "browser.cdp_url": Renamed("browser.chromium"),
    "browser.proxy_host": "a browser elsewhere uses the address that Bellhop reaches it from",
    "discord.gateway_url": "discord.api_base says where the gateway is",
    "discord.guilds.*": Renamed("discord.channels.workspace:*"),
    "discord.commands": "slash commands are registered in all servers; a server hides them under "
    "Integrations",
    "access.discord_roles": Renamed("access.roles.discord"),
    "access.slack_groups": Renamed("access.roles.slack"),
    "slack.host": "Slack's requests are taken on console.host",
    "slack.port": Withdrawn(
        "let the server in front lead to console.port, which takes Slack's requests"
    ),
    "slack.previews": "the manifest asks for links where booking.enabled and console.public_url are"
    " set",
    "mail.send_with": "Mailgun sends where mail.mailgun_domain and its key are set, else Resend",
    "mail.resend_url": Renamed("mail.addresses.resend"),
    "mail.mailgun_url": Renamed("mail.addresses.mailgun"),
    "web_tools.brave_url": Renamed("web_tools.addresses.brave"),
    "web_tools.firecrawl_url": Renamed("web_tools.addresses.firecrawl"),
    "mail.skew_s": "the time of a notice of new mail may be off by 5 minutes",
}


@dataclass
class CarriedOver:
    """What a file says once its settings of earlier versions are gone."""

    said: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The whole file."""
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    told: list[tuple[YamlPath, str]] = field(default_factory=list[tuple[YamlPath, str]])
    """What became of a setting, and where it stands."""
    refused: list[tuple[YamlPath, str]] = field(default_factory=list[tuple[YamlPath, str]])
    """Why a setting ends the start."""
    moved: list[tuple[YamlPath, YamlPath, Any]] = field(
        default_factory=list[tuple[YamlPath, YamlPath, Any]]
    )
    """Where a setting stands, where it counts, and its value."""

    def settle(self, fate: Retired, earlier: YamlPath, at: YamlPath, value: Any) -> None:
        """Take one setting out; `earlier` is the name in the list, `at` its place in the file."""
        if value is None or value == "":  # the default, as everywhere in the file
            self.told.append((at, "says nothing, and is no setting any more; remove it"))
            return
        match fate:
            case str():
                reason = f"it is no setting any more: {fate}"
                self.told.append((at, f"is ignored, since {reason}; remove it"))
            case Renamed():
                self.moved.append((at, fate.path_for(earlier, at), value))
            case Withdrawn() if value == fate.usual:
                self.told.append((at, "says what holds anyway; remove it"))
            case Implied() if value == (fate.set_ if _said(self.said, fate.by) else fate.unset):
                self.told.append((at, "says what holds anyway; remove it"))
            case Withdrawn() | Implied():
                self.refused.append((at, f"is no setting any more; {fate.remedy}"))
            case _:
                assert_never(fate)


def carried_over(values: dict[str, Any], retired: Mapping[str, Retired]) -> CarriedOver:
    """The values without what is retired, and what to say of that."""
    carried = CarriedOver(values)
    fates = {tuple(name.split(".")): fate for name, fate in retired.items()}
    gone = {earlier[:-1] for earlier in fates if earlier[-1] == "*"}

    def kept(value: Any, path: YamlPath) -> Any:
        if not isinstance(value, dict):
            return value
        left: dict[Hashable, Any] = {}
        for key, item in cast("dict[Hashable, Any]", value).items():
            at = (*path, str(key))
            earlier = next((one for one in fates if _fits(one, at)), None)
            if earlier is not None:
                carried.settle(fates[earlier], earlier, at, item)
            elif at in gone and not item:
                carried.told.append((at, "says nothing, and is no setting any more; remove it"))
            elif (rest := kept(item, at)) or not item:  # a table that moved whole leaves nothing
                left[key] = rest
        return left

    carried.values = kept(values, ())
    for at, to, value in carried.moved:
        for path, placed in _put(carried.values, to, value):
            name, place = ".".join(map(str, path)), (*at, *map(str, path[len(to) :]))
            if placed:
                carried.told.append((place, f"counts as {name}, its name now; rename it"))
            else:
                carried.told.append((place, f"is ignored, since {name} is there; remove it"))
    return carried


def _said(values: Mapping[str, Any], name: str) -> Any:
    """What a file says of a setting; None if nothing."""
    found: Any = values
    for part in name.split("."):
        found = cast("dict[str, Any]", found).get(part) if isinstance(found, dict) else None
    return found


def _fits(pattern: YamlPath, path: YamlPath) -> bool:
    return len(pattern) == len(path) and all(
        part in ("*", name) for part, name in zip(pattern, path, strict=True)
    )


def _put(values: dict[str, Any], path: YamlPath, value: Any) -> Iterator[tuple[YamlPath, bool]]:
    """Set a value at `path`, or what a table there lacks of it; yields each part, and whether."""
    table = cast("dict[Hashable, Any]", values)
    for part in path[:-1]:
        if table.get(part) is None:
            table[part] = {}
        if not isinstance(table[part], dict):
            yield path, False
            return
        table = cast("dict[Hashable, Any]", table[part])
    # An id may be written as a number or as text.
    last = next((key for key in table if str(key) == str(path[-1])), path[-1])
    there = table.get(last)
    if there is None:
        table[last] = value
        yield path, True
    elif isinstance(there, dict) and isinstance(value, dict):
        for key, item in cast("dict[Hashable, Any]", value).items():
            for below, placed in _put(cast("dict[str, Any]", there), (key,), item):
                yield (*path, *below), placed
    else:
        yield path, False
