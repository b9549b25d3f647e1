"""Built-in commands, handled at once beside whatever runs, in the control lane."""

from collections.abc import Sequence
from dataclasses import replace

from bot.clock import parse_utc
from bot.connections.connecting import Connecting
from bot.domain.access import Role
from bot.domain.grants import GrantScope
from bot.domain.health import Liveness, PlatformState
from bot.domain.privacy import IN_DM, Viewer
from bot.domain.sessions import SessionKey
from bot.domain.turns import OpenTurn
from bot.domain.work import CompactionWork, DelegationWork, dump_work, find_work
from bot.memory.passes_store import last_pass
from bot.sessions.approvals.card_places import CardPlaces
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.automations import USAGE as AUTOMATIONS_USAGE
from bot.sessions.commands.automations import AutomationCommands
from bot.sessions.commands.claims import Claims
from bot.sessions.commands.connect import USAGE as CONNECT_USAGE
from bot.sessions.commands.connect import ConnectCommands
from bot.sessions.commands.files import USAGE as FILES_USAGE
from bot.sessions.commands.files import FileCommands
from bot.sessions.commands.grants import GrantCommands
from bot.sessions.commands.memory import USAGE as MEMORY_USAGE
from bot.sessions.commands.memory import MemoryCommands
from bot.sessions.commands.pair import PairCommand
from bot.sessions.commands.people import USAGE as PEOPLE_USAGE
from bot.sessions.commands.people import PeopleCommands
from bot.sessions.commands.plans import USAGE as PLAN_USAGE
from bot.sessions.commands.plans import PlanCommands
from bot.sessions.commands.remindme import USAGE as REMINDME_USAGE
from bot.sessions.commands.remindme import RemindMeCommands
from bot.sessions.commands.schedules import USAGE as SCHEDULE_USAGE
from bot.sessions.commands.schedules import ScheduleCommands
from bot.sessions.commands.skill_imports import ImportCommands
from bot.sessions.commands.todos import USAGE as TODO_USAGE
from bot.sessions.commands.todos import TodoCommands
from bot.sessions.commands.usage import UsageCommand
from bot.sessions.house import House
from bot.sessions.inbox.reach import elsewhere, place_of, reached
from bot.sessions.records.envelope import incoming_to_json
from bot.sessions.records.store import newest_session
from bot.sessions.reports.rights_report import rights_of
from bot.sessions.reports.trails import Trails


class BuiltIns:
    """What needs no model: sessions, state, approvals."""

    def __init__(self, house: House, decisions: Decisions, connecting: Connecting) -> None:
        self._house = house
        self._decisions = decisions
        self._grants = GrantCommands(house.grants)
        self._pair = PairCommand(house, decisions)
        self._claims = Claims(house.database, house.clock, house.contacts)
        self._imports = ImportCommands(house.imports, house.attachments, house.database)
        self._trails = Trails(house)
        self._places = CardPlaces(house)
        self._schedules = ScheduleCommands(house.database, house.engine, house.clock, house.meter)
        self._automations = AutomationCommands(house.database, house.clock, self._schedules)
        self._todos = TodoCommands(house)
        self._remindme = RemindMeCommands(house)
        self._files = FileCommands(house)
        self._memories = MemoryCommands(house)
        self._known = PeopleCommands(house)
        self._plans = PlanCommands(house.plans)
        self._connect = ConnectCommands(house, connecting)

    def commands(self) -> tuple[BuiltIn, ...]:
        """In the order in which /help lists them."""
        return (
            BuiltIn(
                "new",
                "start afresh: I forget our conversation; files, todos, notes and memory stay",
                self._new,
                ("end",),
            ),
            BuiltIn(
                "compact", "go on from a summary of our conversation, to make room", self._compact
            ),
            BuiltIn("stop", "stop what I am doing for you here", self._stop),
            BuiltIn("status", "model, role, and what is running or waiting", self._status),
            BuiltIn(
                "plan",
                "the plan that I work on here; strike a task, or add one",
                self._plan,
                usage=PLAN_USAGE,
            ),
            BuiltIn(
                "why",
                "what became of your last message, or of a reference",
                self._why,
                usage="[REF]",
            ),
            BuiltIn(
                "usage",
                "what your requests used, and called agents of that",
                UsageCommand(self._house.meter).run,
            ),
            BuiltIn(
                "rights",
                "what you may do here, and which file says so",
                self._rights,
                usage="[TOOL]",
            ),
            BuiltIn(
                "approve", "let a waiting call run", self._approve, usage="[REF] [session|target]"
            ),
            BuiltIn("reject", "refuse a waiting call", self._reject, usage="[REF]"),
            BuiltIn(
                "grants",
                "what I needn't ask you about, and taking it back",
                self._grant,
                usage="[revoke REF]",
            ),
            BuiltIn(
                "pair",
                "say who somebody is (MasterAdmin)",
                self._pair.run,
                usage="REF friend|partner|guest|ban",
                least=Role.MASTER_ADMIN,
            ),
            BuiltIn(
                "claim",
                "become the owner, with the code that the terminal shows",
                self._claims.run,
                usage="CODE",
            ),
            BuiltIn(
                "schedule",
                "what I am to do later, and what became of it",
                self._schedule,
                usage=SCHEDULE_USAGE,
            ),
            BuiltIn(
                "automations",
                "what runs by itself; on or off here",
                self._automate,
                usage=AUTOMATIONS_USAGE,
            ),
            BuiltIn(
                "todo",
                "your open todos; say that one is done, or move it",
                self._todo,
                usage=TODO_USAGE,
            ),
            BuiltIn(
                "remindme",
                "whether others may have me remind you",
                self._remind_me,
                usage=REMINDME_USAGE,
            ),
            BuiltIn(
                "people",
                "whom I know; making one file of two about one person",
                self._people,
                usage=PEOPLE_USAGE,
            ),
            BuiltIn(
                "memory",
                "what I remember of you; forgetting it; learning on or off",
                self._memory,
                usage=MEMORY_USAGE,
            ),
            BuiltIn(
                "connect",
                "let me use an account of yours elsewhere",
                self._connect.connect,
                usage=CONNECT_USAGE,
            ),
            BuiltIn("disconnect", "take that back", self._connect.disconnect, usage=CONNECT_USAGE),
            BuiltIn(
                "files",
                "your documents; with a path I send you that one",
                self._list_files,
                usage=FILES_USAGE,
            ),
            BuiltIn(
                "tools",
                "decide about tools and skills that were made here (MasterAdmin)",
                self._imports.run_tools,
                usage="staged|approve|reject|remove [NAME]",
                least=Role.MASTER_ADMIN,
            ),
            BuiltIn(
                "skills",
                "import skills and decide about them (MasterAdmin)",
                self._imports.run,
                usage="import|staged|approve|reject|remove [NAME]",
                least=Role.MASTER_ADMIN,
            ),
        )

    async def _new(self, asked: Asked) -> str:
        turns = [
            turn
            for turn in await self._reached(asked)
            if not isinstance(find_work(turn.body), DelegationWork)
        ]
        await self._stop_all(turns)
        before = parse_utc(asked.at) if asked.at else None
        places = {(asked.key, asked.message.conversation.key)}
        places |= {(SessionKey.parse(turn.session), place_of(turn)) for turn in turns}
        ended = [await self._house.sessions.end(key, place, "new", before) for key, place in places]
        threads = elsewhere(turns, asked.message.conversation)
        if threads:
            return f"Started afresh in {' and '.join(threads)}."
        return "Started afresh." if any(ended) or asked.again else "This is a fresh start already."

    async def _compact(self, asked: Asked) -> str:
        """Queue a turn in the session itself, so that no message is answered meanwhile."""
        engine, session = self._house.engine, str(asked.key)
        if not asked.again:
            if await engine.open_question(asked.message.conversation.key, asked.person.id):
                return "I am waiting for your answer; answer first, or /stop, then /compact."
            if engine.running(session) or await engine.waiting(session):
                return (
                    "I am busy with your last message; try /compact again when I have answered, or "
                    "/stop first."
                )
        body = dump_work(CompactionWork(incoming_to_json(asked.message)))
        await engine.submit(session, f"compact:{asked.message.key}", body)
        return ""

    async def _stop(self, asked: Asked) -> str:
        turns = await self._reached(asked)
        stopped = any([await self._stop_all(turns), await self._stop_waiting(asked)])
        threads = elsewhere(turns, asked.message.conversation)
        if stopped and threads:
            return f"Stopping in {' and '.join(threads)}."
        if stopped or (asked.again and asked.ran):
            return "Stopping."
        return "Nothing is running or waiting here."

    async def _reached(self, asked: Asked) -> list[OpenTurn]:
        """The turns that the command means: accepted before it, and running at that time."""
        turns = [turn for turn in await self._house.engine.open_turns() if turn.id < asked.turn.id]
        if asked.again:
            turns = [turn for turn in turns if turn.id in asked.ran]
        return reached(turns, asked.message.conversation, asked.person.id)

    async def _stop_waiting(self, asked: Asked) -> bool:
        """Stop agents in the background of this conversation that wait for one before them."""
        here = asked.message.conversation
        waiting = [
            one for one in await self._house.background.open_of(asked.person.id) if one.waits
        ]
        meant = [one for one in waiting if one.turn < asked.turn.id and one.is_in(here)]
        return any([await self._house.background.stop(one) for one in meant])

    async def _stop_all(self, turns: Sequence[OpenTurn]) -> bool:
        stopped = [await self._house.engine.stop_turn(turn.session, [turn.id]) for turn in turns]
        return any(stopped)

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
            lines.append(
                f"- Session `{stored.session.id}` since {stored.session.opened_at:%H:%M} UTC, "
                f"{used}"
            )
        if question is not None:
            lines.append(f"- Waiting for your answer: {question.text}")
        threads = elsewhere(await self._reached(asked), asked.message.conversation)
        lines += [f"- Running for you in {thread}" for thread in threads]
        viewer = await self._viewer(asked)
        lines += [
            f"- In the background: {one.line(viewer)}"
            for one in await house.background.open_of(asked.person.id)
        ]
        lines += [f"- Approval {item.ref} waits: {item.tool}" for item in approvals]
        if engine.short_of and asked.person.role is Role.MASTER_ADMIN:
            lines.append(
                f"- The machine is short of {engine.short_of}: requests wait and are tried "
                f"again (see the log)"
            )
        if (
            asked.person.role is Role.MASTER_ADMIN
            and (done := await last_pass(house.database)) is not None
        ):
            lines.append(f"- Memory: {done.at:%Y-%m-%d %H:%M} UTC, {done.in_words()}")
        lines += self._platforms(asked)
        return "\n".join(lines)

    def _platforms(self, asked: Asked) -> list[str]:
        """All platforms for a MasterAdmin; for others their own, if it has a problem."""
        everything = asked.person.role is Role.MASTER_ADMIN
        here = asked.message.conversation.platform
        return [
            f"- {item.platform}: {_liveness(item)}{_skipped(item) if everything else ''}"
            for item in self._house.platforms.liveness()
            if everything or (item.platform == here and item.state is not PlatformState.SERVING)
        ]

    async def _why(self, asked: Asked) -> str:
        message = asked.message
        return await self._trails.explain(
            asked.args, message.conversation.key, asked.person, await self._viewer(asked)
        )

    async def _rights(self, asked: Asked) -> str:
        house = self._house
        location = await house.channels.locate(asked.message.conversation)
        operator = asked.person.role is Role.MASTER_ADMIN
        report = await rights_of(
            house, asked.person, location, asked.args or None, operator=operator
        )
        return report.text()

    async def _plan(self, asked: Asked) -> str:
        return await self._plans.run(asked)

    async def _approve(self, asked: Asked) -> str:
        return await self._decide(asked, approve=True)

    async def _reject(self, asked: Asked) -> str:
        return await self._decide(asked, approve=False)

    async def _decide(self, asked: Asked, *, approve: bool) -> str:
        ref, *more = asked.args.split() or [""]
        scope = next((one for one in GrantScope if more and more[0].casefold() == one), None)
        if not ref:
            waiting = await self._house.approvals.open_for(asked.person)
            here = await self._house.cards.only_one(asked.person, asked.message.conversation.key)
            if here is None or len(waiting) != 1:
                refs = ", ".join(item.ref for item in waiting)
                return f"Say which one: {refs}." if refs else "No approval is waiting for you."
            ref = here
        # Other words after the reference are politeness ("please").
        return await self._decisions.decide(
            ref,
            asked.person,
            approve=approve,
            again=asked.again,
            grant=scope if approve else None,
            lines=_numbers(more) if approve else (),
            asked=self._places.asked_for,
        )

    async def _schedule(self, asked: Asked) -> str:
        place = (await self._viewer(asked)).place
        told = await self._schedules.run(
            asked.args, asked.person, place=place, key=asked.message.key
        )
        return told.text

    async def _automate(self, asked: Asked) -> str:
        verb = asked.args.strip().casefold()
        if verb in {"on", "off"}:
            said = await self._automations.open_or_close(
                asked.message, asked.person, opens=verb == "on"
            )
            self._house.outbox.wake()
            return said
        viewer = await self._viewer(asked)
        return (
            await self._automations.run(asked.args, asked.person, viewer, key=asked.message.key)
        ).text

    async def _todo(self, asked: Asked) -> str:
        return await self._todos.run(asked.args, await self._viewer(asked), asked.message.sent_at)

    async def _remind_me(self, asked: Asked) -> str:
        at = asked.message.sent_at
        return await self._remindme.run(asked.args, asked.person, at, alone=asked.alone)

    async def _people(self, asked: Asked) -> str:
        return await self._known.run(asked.args, asked.person, await self._viewer(asked))

    async def _list_files(self, asked: Asked) -> str | CommandReply:
        return await self._files.run(asked.args, await self._viewer(asked))

    async def _memory(self, asked: Asked) -> str | CommandReply:
        return await self._memories.run(asked, await self._viewer(asked))

    async def _viewer(self, asked: Asked) -> Viewer:
        """Who sees a command's answer: its person only, as in a DM, or whoever is in the place."""
        location = await self._house.channels.locate(asked.message.conversation)
        viewer = Viewer.at(location, asked.person)
        return replace(viewer, place=IN_DM) if asked.alone else viewer

    async def _grant(self, asked: Asked) -> str:
        return await self._grants.run(asked.args, asked.person, again=asked.again)


def _numbers(words: Sequence[str]) -> tuple[int, ...]:
    """The calls of a plan that are meant: `1,3` or `1 3`. Other words are politeness."""
    found = " ".join(words).replace(",", " ").split()
    return tuple(int(word) for word in found if word.isascii() and word.isdigit())


def _liveness(item: Liveness) -> str:
    heard = (
        "" if item.last_frame_age_s is None else f", last heard {item.last_frame_age_s:.0f} s ago"
    )
    times = "once" if item.restarts == 1 else f"{item.restarts} times"
    restarts = f", restarted {times}" if item.restarts else ""
    return f"{item.state}{heard}{restarts}"


def _skipped(item: Liveness) -> str:
    return (
        f", could not read {item.unreadable} of its objects (the log says which)"
        if item.unreadable
        else ""
    )
