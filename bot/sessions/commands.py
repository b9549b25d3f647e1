"""Built-in commands, handled at once beside whatever runs (design §3, the control lane)."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from bot.domain.access import Person, Role
from bot.domain.health import Liveness, PlatformState
from bot.domain.json_types import JsonObject
from bot.domain.messages import Command, IncomingMessage, MessageKind, OutgoingMessage
from bot.domain.sessions import SessionKey
from bot.domain.turns import Turn
from bot.sessions.approvals import Decisions
from bot.sessions.envelope import incoming_to_json
from bot.sessions.house import House
from bot.sessions.outbox import Sending
from bot.sessions.router import session_key
from bot.sessions.store import newest_session
from bot.sessions.trails import Trails

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Asked:
    """One command as it is run: by whom, with what, about which session."""

    person: Person
    args: str
    message: IncomingMessage
    key: SessionKey
    again: bool
    """The process ended while this ran before: its effect may be there already."""


@dataclass(frozen=True)
class BuiltIn:
    """A command that every platform has."""

    name: str
    help: str
    run: Callable[[Asked], Awaitable[str]]
    aliases: tuple[str, ...] = ()
    usage: str = ""


class Commands:
    """The built-in commands; skills add theirs later, and built-ins win."""

    def __init__(self, house: House, decisions: Decisions) -> None:
        self._house = house
        self._decisions = decisions
        self._trails = Trails(house)
        self._built_in = (
            BuiltIn("help", "what I can do and which commands there are", self._help),
            BuiltIn(
                "new",
                "start afresh: I forget our conversation; files, todos, notes and memory stay",
                self._new,
                ("end",),
            ),
            BuiltIn("compact", "go on from a summary of our conversation, to make room", self._compact),
            BuiltIn("stop", "stop what I am doing for you here", self._stop),
            BuiltIn("status", "model, role, and what is running or waiting", self._status),
            BuiltIn("why", "what became of your last message, or of a reference", self._why, usage="[REF]"),
            BuiltIn("approve", "let a waiting call run", self._approve, usage="REF"),
            BuiltIn("reject", "refuse a waiting call", self._reject, usage="REF"),
        )
        self._by_name: Mapping[str, BuiltIn] = {
            name: command for command in self._built_in for name in (command.name, *command.aliases)
        }

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    async def run(self, turn: Turn, message: IncomingMessage) -> None:
        """Run the command (or click) of a control turn and answer it."""
        person = self._house.person(message)
        if person.role is Role.BANNED:
            return
        command = _command(message)
        asked = Asked(person, command.args.strip(), message, session_key(message, person), turn.attempt > 1)
        found = self._by_name.get(command.name.casefold())
        text = await found.run(asked) if found else self._unknown(command, message)
        if not text:
            return  # a turn that the command submitted answers
        sending = Sending(OutgoingMessage(message.reply_to, text), person.id, self._house.default_agent, in_order=False)
        await self._house.outbox.send(turn, "send:answer", sending)

    def _unknown(self, command: Command, message: IncomingMessage) -> str:
        if message.action is not None:
            return "That question is not open any more."
        near = get_close_matches(command.name.casefold(), self._by_name, n=1)
        meant = f" Did you mean /{near[0]}?" if near else ""
        return f"I don't know /{command.name}.{meant} /help lists the commands."

    # --- the commands -------------------------------------------------------------------------------------

    async def _help(self, asked: Asked) -> str:
        lines = [
            f"- `/{command.name}{' ' + command.usage if command.usage else ''}`"
            f"{''.join(f' (`/{alias}`)' for alias in command.aliases)} {command.help}"
            for command in self._built_in
        ]
        about = (
            "Write to me in plain words: I keep todos and notes, remember what you tell me, look things up in your"
            " files, and ask back when something is unclear."
        )
        return "\n".join([about, "", *lines])

    async def _new(self, asked: Asked) -> str:
        await self._house.engine.stop_turn(str(asked.key))
        ended = await self._house.sessions.end(asked.key, asked.message.conversation.key, "new")
        return "Started afresh." if ended or asked.again else "This is a fresh start already."

    async def _compact(self, asked: Asked) -> str:
        """Submits a turn to the session's own line: it answers, and no message is answered while it runs."""
        engine, session = self._house.engine, str(asked.key)
        if not asked.again:
            if await engine.open_question(asked.message.conversation.key, asked.person.id):
                return "I am waiting for your answer; answer first, or /stop, then /compact."
            if engine.running(session) or await engine.waiting(session):
                return "I am busy with your last message; try /compact again when I have answered, or /stop first."
        body: JsonObject = {"kind": "compact", "message": incoming_to_json(asked.message)}
        await engine.submit(session, f"compact:{asked.message.key}", body)
        return ""

    async def _stop(self, asked: Asked) -> str:
        if await self._house.engine.stop_turn(str(asked.key)):
            return "Stopping."
        return "Nothing is running for you here."

    async def _status(self, asked: Asked) -> str:
        engine, house = self._house.engine, self._house
        stored = await newest_session(house.database, asked.key)
        opened = stored is not None and stored.state == "open"
        question = await engine.open_question(asked.message.conversation.key, asked.person.id)
        approvals = await house.approvals.open_for(asked.person)
        lines = [
            f"- You: {asked.person.name} (`{asked.person.id}`), role {asked.person.role}",
            f"- Model: {house.model.capabilities.label}",
            f"- Running for you here: {'yes' if engine.running(str(asked.key)) else 'no'},"
            f" waiting: {await engine.waiting(str(asked.key))}",
        ]
        if opened and stored is not None:
            used = f"{stored.usage.total_input:,} tokens in, {stored.usage.output_tokens:,} out"
            lines.append(f"- Session `{stored.session.id}` since {stored.session.opened_at:%H:%M} UTC, {used}")
        if question is not None:
            lines.append(f"- Waiting for your answer: {question.text}")
        lines += [f"- Approval {item.ref} waits: {item.tool}" for item in approvals]
        lines += self._platforms(asked)
        return "\n".join(lines)

    def _platforms(self, asked: Asked) -> list[str]:
        """A MasterAdmin hears of every platform, others of the one they are on when something is wrong with it."""
        everything = asked.person.role is Role.MASTER_ADMIN
        here = asked.message.conversation.platform
        return [
            f"- {item.platform}: {_liveness(item)}"
            for item in self._house.platforms.liveness()
            if everything or (item.platform == here and item.state is not PlatformState.SERVING)
        ]

    async def _why(self, asked: Asked) -> str:
        message = asked.message
        return await self._trails.explain(asked.args, asked.person, message.conversation.key, private=message.private)

    async def _approve(self, asked: Asked) -> str:
        return await self._decide(asked, approve=True)

    async def _reject(self, asked: Asked) -> str:
        return await self._decide(asked, approve=False)

    async def _decide(self, asked: Asked, *, approve: bool) -> str:
        if not asked.args:
            waiting = ", ".join(item.ref for item in await self._house.approvals.open_for(asked.person))
            return f"Say which one: {waiting}." if waiting else "No approval is waiting for you."
        ref = asked.args.split()[0]
        return await self._decisions.decide(ref, asked.person, approve=approve, again=asked.again)


def _liveness(item: Liveness) -> str:
    heard = "" if item.last_frame_age_s is None else f", last heard {item.last_frame_age_s:.0f} s ago"
    times = "once" if item.restarts == 1 else f"{item.restarts} times"
    restarts = f", restarted {times}" if item.restarts else ""
    return f"{item.state}{heard}{restarts}"


def _command(message: IncomingMessage) -> Command:
    """The command of a message; a click is the command of its verb, and a platform's stop is /stop."""
    if message.kind is MessageKind.STOP:
        return Command("stop")
    if message.action is not None:
        return Command(message.action.verb, message.action.ref)
    return message.command or Command("help")
