"""`/automations` and `bellhop automations`: work that runs by itself, and its open channels."""

import hashlib
from datetime import datetime

from bot.automations import store
from bot.automations.showing import line, problem_of, shown
from bot.automations.store import Automations
from bot.domain.access import Person, Role
from bot.domain.automations import Automation
from bot.domain.card_words import in_words
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.messages import Conversation, IncomingMessage, OutgoingMessage, Place, ReplyTarget
from bot.domain.origins import Trust
from bot.domain.privacy import IN_DM, Viewer, left_out
from bot.sessions.commands.schedules import ScheduleCommands, Told
from bot.sessions.outbox.outbox_store import notice_write
from bot.sessions.records.conversation_store import NewMessage, message_write
from bot.turns.schedules.showing import listed, ticks_shown
from bot.turns.schedules.store import read_of_session
from bot.turns.schedules.tasks_store import ScheduledTasks

USAGE = "[show|pause|resume ID, on, off]"
_HOW = f"Say /automations {USAGE}. Without arguments it lists what runs by itself."


class AutomationCommands:
    """Lists and changes automations; those of schedules are the same as `/schedule` has."""

    def __init__(self, database: Database, clock: Clock, schedules: ScheduleCommands) -> None:
        self._database = database
        self._clock = clock
        self._schedules = schedules
        self._automations = Automations(database)
        self._tasks = ScheduledTasks(database)

    async def run(
        self, args: str, person: Person, viewer: Viewer, *, key: str, everybody: bool = False
    ) -> Told:
        """One command of a person; hidden automations are only counted.

        `everybody`: list those of all people.
        """
        verb, _, ref = args.strip().partition(" ")
        verb, ref = verb.casefold() or "list", ref.strip()
        if verb == "list":
            return Told(await self._list(person, viewer, everybody=everybody))
        if verb not in {"show", "pause", "resume"} or not ref:
            return Told(_HOW, done=False)
        automation = await self._find(ref, person, viewer)
        if automation is None:
            if await self._tasks.find(ref) is not None:
                return await self._schedules.run(f"{verb} {ref}", person, viewer, key=key)
            return Told(
                f"There is no automation {ref[:40]} here. /automations lists them.", done=False
            )
        match verb:
            case "show":
                return Told(await shown_whole(self._database, automation, self._clock.now()))
            case "pause":
                await self._database.write(store.pause(automation, f"by {person.id}"))
                return Told(f"{automation.slug} ({automation.ref}) is paused.")
            case _:
                return await self._resume(automation)

    async def _list(self, person: Person, viewer: Viewer, *, everybody: bool) -> str:
        found = await self._automations.of(None if everybody else person.id)
        seen = [one for one in found if everybody or viewer.sees(one.owner, one.learned)]
        lines = [line(one, await self._is_open(one)) for one in seen]
        if len(found) > len(seen):
            lines.append(f"{left_out(len(found) - len(seen))}.")
        tasks = await self._tasks.of(None if everybody else person.id)
        shared = [task for task in tasks if everybody or viewer.sees(task.owner, task.learned)]
        if tasks:
            lines.append(listed(shared, self._clock.now(), hidden=len(tasks) - len(shared)))
        return "\n".join(lines) or "Nothing runs by itself."

    async def _is_open(self, automation: Automation) -> bool:
        return (
            bool(automation.watches)
            and await self._automations.opened_by(automation.watches) is not None
        )

    async def _find(self, ref: str, person: Person, viewer: Viewer) -> Automation | None:
        """The same answer for another person's automation and for one that never existed."""
        found = await self._automations.find(ref)
        if found is None:
            return None
        own = found.owner == person.id and viewer.sees(found.owner, found.learned)
        return (
            found if own or (person.role is Role.MASTER_ADMIN and viewer.place == IN_DM) else None
        )

    async def _resume(self, automation: Automation) -> Told:
        if problem := problem_of(automation):
            return Told(f"{automation.slug} ({automation.ref}) {problem}", done=False)
        await self._database.write(store.resume(automation))
        return Told(f"{automation.slug} ({automation.ref}) goes on.")

    # --- channels ---

    async def open_or_close(self, message: IncomingMessage, person: Person, *, opens: bool) -> str:
        """`/automations on|off`: a Partner says whether automations read and post in a channel."""
        conversation = message.conversation
        if conversation.place is Place.DM:
            return "Send this command in the channel itself."
        if person.role.rank < Role.PARTNER.rank:
            return "A Partner or MasterAdmin decides that."
        channel, now = conversation.channel_key, self._clock.now()
        if not opens:
            written = await self._database.write(Unit.of(store.close_channel(channel)))
            return (
                "Automations read and post nothing here any more."
                if written.returned[0]
                else "They are off here already."
            )
        if (by := await self._automations.opened_by(channel)) is not None:
            return f"Automations are on in this channel already; {by} said so."
        await self._database.write(
            Unit.of(store.open_channel(channel, person.id, now)) + _told(message, person, now)
        )
        return "Done. I told the channel."


async def shown_whole(database: Database, automation: Automation, now: datetime) -> str:
    """One automation with its latest outcomes."""
    opened = (
        bool(automation.watches)
        and await Automations(database).opened_by(automation.watches) is not None
    )
    text = shown(automation, opened, now)
    schedule = await read_of_session(database, automation.session)
    if schedule is None:
        return f"{text}\nNothing has started it yet."
    return f"{text}\n{ticks_shown(await ScheduledTasks(database).ticks_of(schedule.id), 'UTC')}"


def _told(message: IncomingMessage, person: Person, now: datetime) -> Unit:
    """The announcement to everybody in the channel, with the change itself."""
    made = message.conversation
    there = Conversation(made.platform, made.workspace, made.channel or made.id, Place.CHANNEL)
    text = (
        f"{in_words(person.name)} switched automations on in this channel. They may read messages "
        "here and post. I announce each one that reads here. `/automations off` switches them off."
    )
    key = f"automations-{hashlib.sha256(message.key.encode()).hexdigest()[:16]}/say"
    told = notice_write(key, person.id, OutgoingMessage(ReplyTarget(there), text), now)
    seen = NewMessage(key, there.key, "agent:automations", "you", Trust.MEMBER, text, now)
    return Unit.of(told, message_write(seen))
