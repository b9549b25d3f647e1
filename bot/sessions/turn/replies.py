"""Messages from a turn to its person: answers, questions, the live view, and its cards.

The cards stand below its answer, so that they are the newest thing there. Then a yes in words means
the card, see docs/rules.md#approvals. Several calls that wait for the same people share a card.

An answer may be for one person alone where others read: they get it, the place one line. What a run
has read decides, and what the model asks for; see docs/security.md#between-people.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from bot.agents.loop.run import Asking, Callbacks, RunRecord
from bot.domain.access import Person
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.chat import (
    LiveReply,
    LiveUpdate,
    PlanShown,
    Status,
    TextDelta,
    Thinking,
    ToolEnded,
    ToolStarted,
)
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase
from bot.domain.messages import (
    Asks,
    Choice,
    Delivery,
    IncomingMessage,
    OutgoingFile,
    OutgoingMessage,
)
from bot.domain.native_commands import ATTACH, SEND_FILES
from bot.domain.origins import Trust
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import ANSWER, StepKind, in_scope, step_key
from bot.domain.tool_context import Send
from bot.domain.tools import ToolCall
from bot.domain.turns import Answer, Recorded, Turn
from bot.domain.work import envelope_of
from bot.errors import UnitRejected
from bot.plugin.chat import Quiet
from bot.sessions.approvals.cards import ApprovalCards, CardPlaces
from bot.sessions.outbox.cards import Cards
from bot.sessions.outbox.outbox import Outbox, Sending
from bot.sessions.people.people import People
from bot.sessions.records.conversation_store import visible_before
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.run.opening_step import CONTEXT_MESSAGES, is_missed, visible_block
from bot.sessions.run.setup import Burst
from bot.sessions.turn.elsewhere import Elsewhere
from bot.sessions.wording import phrases
from bot.sessions.wording.languages import language_for
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.bundles import bundle_of, bundled_unit, grouped
from bot.turns.engine import TurnEngine

ALONE = step_key(StepKind.SEND, "alone")
UNREACHED = step_key(StepKind.SEND, "unreached")
_WITH_WORDS = (TextDelta, Thinking, ToolStarted, ToolEnded, PlanShown, Status)
"""A status may be what a server says of its work on arguments that are for one person alone."""


def read_by_others(message: IncomingMessage) -> bool:
    """Whether others read what is answered to a message in its place."""
    return not message.private and message.reply_to.ephemeral_to is None


def to_asker(sending: Sending, message: IncomingMessage) -> Sending:
    """The same for the person of a message alone."""
    target = replace(message.reply_to, interaction=None, ephemeral_to=message.sender.id)
    alone = replace(sending.message, target=target)
    return replace(sending, message=alone, in_order=False)


def unseen_by_others(
    show: Callable[[LiveUpdate], None], record: RunRecord, message: IncomingMessage
) -> Callable[[LiveUpdate], None]:
    """The live view of a run, which goes on without words once they are for one person alone."""

    def shown(update: LiveUpdate) -> None:
        words = isinstance(update, _WITH_WORDS)
        if not (words and record.for_asker and read_by_others(message)):
            show(update)

    return shown


Post = Callable[[Turn, str, Sending, Trust], Awaitable[Delivery]]


@dataclass(eq=False)
class WaitingCards:
    """Collects what a turn's calls ask, and shows it."""

    turn: Turn
    message: IncomingMessage
    approvals: ApprovalStore
    cards: ApprovalCards
    post: Post
    clock: Clock
    covers: Sequence[str] = ()
    """See `OutgoingMessage`; it may grow."""
    _waiting: dict[str, Approval] = field(default_factory=dict[str, Approval])
    _trust: Trust = Trust.MEMBER

    def add(self, approval: Approval, trust: Trust) -> None:
        """A call waits; its card is trusted as far as the run that asks."""
        self._waiting[approval.ref] = approval
        self._trust = max(self._trust, trust)

    async def show(self, *, waited_s: float = 0.0) -> None:
        """Post the cards, unless none has waited that long. A replay posts none twice."""
        first = min((one.asked_at for one in self._waiting.values()), default=None)
        if first is None or (self.clock.now() - first).total_seconds() < waited_s:
            return
        waiting, self._waiting = list(self._waiting), {}
        now = [stored for ref in waiting if (stored := await self.approvals.get(ref))]
        shown = [one for one in now if self.turn.done(_key(one.ref))]
        open_ = [one for one in now if not one.bundle and one.state is ApprovalState.OPEN]
        new = [one for one in open_ if one not in shown]
        bundled = {one.bundle for one in now if one.bundle}
        earlier = [stored for ref in bundled if (stored := await self.approvals.get(ref))]
        asking = [*shown, *earlier]
        alone = [one for one in new if self._asked(one).aside]
        for group in (*grouped([one for one in new if one not in alone]), *grouped(alone)):
            asking += await self._asking(group)
        for approval in asking:
            await self._show(approval)

    def _asked(self, approval: Approval) -> IncomingMessage:
        """The message that it is asked for; alone, if the call may hold what is for its person."""
        stored = incoming_from_json(approval.envelope)
        return stored if stored.aside else self.message

    async def _asking(self, group: Sequence[Approval]) -> Sequence[Approval]:
        """The approvals whose cards ask about these calls: one, if nothing is decided yet."""
        if len(group) == 1:
            return group
        bundle = bundle_of(group)

        async def keep() -> Recorded:
            return Recorded({}, bundled_unit(bundle))

        try:
            await self.turn.step(step_key(StepKind.BUNDLE, bundle.ref), keep)
        except UnitRejected:  # one of them was decided just now
            return group
        return (bundle,)

    async def _show(self, approval: Approval) -> None:
        for to, sending in await self.cards.sendings(self._asked(approval), approval):
            about = replace(sending.message, covers=tuple(self.covers))
            sent = replace(sending, message=about)
            await self.post(self.turn, f"{_key(approval.ref)}{to}", sent, self._trust)


def _key(ref: str) -> str:
    return step_key(StepKind.SEND, f"approval:{ref}")


@dataclass(frozen=True)
class Replies:
    """Posts for turns; has no state of a turn."""

    people: People
    outbox: Outbox
    cards: Cards
    places: CardPlaces
    approvals: ApprovalStore
    approval_cards: ApprovalCards
    elsewhere: Elsewhere
    engine: TurnEngine
    clock: Clock
    agent: str
    """Who speaks in answers."""
    rescheduled: Callable[[], None]
    """To be called after a due time changes."""

    async def live(self, turn: Turn, message: IncomingMessage) -> LiveReply:
        """The live view of the work, if the person's platform is connected."""
        adapter = self.people.adapters.get(message.conversation.platform)
        if adapter is None:
            return Quiet()
        return adapter.live(message.reply_to, turn.ref, await self.outbox.key_of(turn, ANSWER))

    def callbacks(
        self, turn: Turn, message: IncomingMessage, live: LiveReply, burst: Burst | None = None
    ) -> Callbacks:
        """The callbacks by which a message's run reaches its person.

        `burst` knows what joined the message meanwhile.
        """
        burst = burst or Burst(message.sent_at)
        waiting = WaitingCards(
            turn, message, self.approvals, self.approval_cards, self.post, self.clock, burst.covers
        )
        run = _RunReplies(self, turn, message, waiting, burst)
        return Callbacks(
            run.send,
            live.show,
            run.person,
            self.rescheduled,
            run.on_approval,
            run.asked,
            run.ask,
            run.ask_now,
            show_cards=run.show_cards,
            heard=partial(_heard, run),
        )

    def for_files(self, turn: Turn, message: IncomingMessage) -> tuple[tuple[Choice, ...], str]:
        """The button below a question for files where a form takes them, and how to send them."""
        language = language_for(message)
        if not self.people.contacts.platforms[message.conversation.platform].has_file_forms:
            return (), phrases.SEND_FILES_HERE.said(language)
        button = Choice(ATTACH.said(language), turn.ref, SEND_FILES)
        return (button,), Phrase(
            "Attach the files with the button, or send them here with a message."
        ).said(language)

    def narrowed(self, send: Send, turn: Turn, message: IncomingMessage, record: RunRecord) -> Send:
        """The same `send`, which shows its person alone what the others here may not read."""

        async def posted(
            text: str,
            *,
            key: str,
            trust: Trust,
            to: str | None = None,
            files: tuple[OutgoingFile, ...] = (),
        ) -> Delivery:
            if to is not None or not (record.for_asker and read_by_others(message)):
                return await send(text, key=key, trust=trust, to=to, files=files)
            alone = to_asker(self.sending(message, text), message)
            alone = replace(alone, message=replace(alone.message, files=files))
            return await self.post(turn, key, alone, trust)

        return posted

    async def post(
        self, turn: Turn, key: str, sending: Sending, trust: Trust, live: LiveReply | None = None
    ) -> Delivery:
        """Send text from a run; other sessions trust it no more than the run's context."""
        trusted = replace(sending, trust=max(Trust.MEMBER, trust))
        return await self.outbox.send(turn, key, trusted, live)

    async def say(
        self,
        turn: Turn,
        key: str,
        message: IncomingMessage,
        text: str,
        live: LiveReply | None = None,
    ) -> None:
        """Post a sentence of our own."""
        await self.outbox.send(turn, key, self.sending(message, text), live)

    def sending(
        self,
        message: IncomingMessage,
        text: str,
        choices: tuple[Choice, ...] = (),
        asks: Asks | None = None,
        covers: Sequence[str] = (),
    ) -> Sending:
        """To the place of a message, about it and those that it `covers`."""
        target, language = message.reply_to, language_for(message)
        said = OutgoingMessage(target, text, choices, covers=tuple(covers), language=language)
        person = self.people.contacts.sender_of(message).id
        return Sending(said, person, self.agent, asks=asks, asker=message.sender.id)


@dataclass(eq=False)
class LiveQuestions:
    """Implements `domain.tool_context.AskNow` for one call.

    The person's next words in the conversation answer. They are taken from the session's queue
    under keys of the call, so a replay neither asks nor takes them again. The call is not
    suspended: after a restart it runs again with the given answers or, if that could do harm, its
    outcome is unknown and the question is over.
    """

    turn: Turn
    call: ToolCall
    post: Callable[[str, str], Awaitable[None]]
    engine: TurnEngine
    clock: Clock
    burst: Burst
    _asked: int = 0
    _taken: int = 0
    _waited: float = 0.0
    _since: float | None = None

    @property
    def waited_s(self) -> float:
        now = self.clock.monotonic()
        return self._waited + (now - self._since if self._since is not None else 0.0)

    async def __call__(self, text: str, *, seconds: float) -> str | None:
        """Post the question and wait.

        Raises StorageError, DeliveryError and ClaimLost, as any step.
        """
        self._asked += 1
        self._since = self.clock.monotonic()
        try:
            await self.post(text, step_key(StepKind.ASK, self._asked, within=self.call.key))
            async with self.turn.away():
                answer = await self._answer(seconds)
            # Who answered waits for what comes of it.
            self.burst.named = self.burst.named or answer is not None
            return answer
        finally:
            self._waited, self._since = self.waited_s, None

    async def _answer(self, seconds: float) -> str | None:
        timer = asyncio.ensure_future(self.clock.sleep(seconds))
        try:
            while True:
                # Set before the look, so that nothing is missed.
                arrival = self.engine.arrival(self.turn.session)
                try:
                    if (answer := await self._next_words()) or timer.done():
                        return answer or None
                    await asyncio.wait({arrival, timer}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    arrival.cancel()
        finally:
            timer.cancel()

    async def _next_words(self) -> str:
        """The person's words so far; takes from the queue only if it has some, or had before."""
        own = self.turn.scope(self.call.key)
        before = own.done(step_key(StepKind.STEER, self._taken + 1))
        if not before and not await self.engine.waiting(self.turn.session):
            return ""
        self._taken += 1
        taken = await own.take(self._taken)
        return "\n".join(incoming_from_json(envelope_of(item.body)).text for item in taken).strip()


@dataclass(frozen=True, eq=False)
class _RunReplies:
    """What the run of one message calls to reach its person."""

    replies: Replies
    turn: Turn
    message: IncomingMessage
    waiting: WaitingCards
    burst: Burst
    """What it answers; it may grow."""

    def person(self) -> Person:
        """Who asks, as they are known now."""
        return self.replies.people.contacts.sender_of(self.message)

    async def send(
        self,
        text: str,
        *,
        key: str,
        trust: Trust,
        to: str | None = None,
        files: tuple[OutgoingFile, ...] = (),
    ) -> Delivery:
        sending = (
            self._sending(text)
            if to is None
            else await self.replies.elsewhere.sending(self.turn, key, self.message, text, to)
        )
        sending = replace(sending, message=replace(sending.message, files=files))
        return await self.replies.post(self.turn, key, sending, trust)

    async def ask(self, asking: Turn, key: str, question: Asking) -> Answer:
        """Post a question, below the cards that wait, and wait for its answer."""
        ref, text, how = self.turn.ref, question.text, ""
        choices = tuple(Choice(option, ref, "answer", option) for option in question.options)
        if question.files:
            button, hint = self.replies.for_files(self.turn, self.message)
            choices, text, how = (*choices, *button), f"{text}\n\n{hint}", hint
        asks = Asks(ref, in_scope(asking.prefix, key)) if choices else None
        await self.waiting.show()
        sending = self._sending(text, choices, asks)
        sending = replace(sending, message=replace(sending.message, while_open=how))
        await self.replies.post(self.turn, step_key(StepKind.SEND, key), sending, question.trust)
        place = self.message.conversation.key
        answer = await asking.ask(key, self.person().id, place, question.text, question.options)
        self.replies.cards.look(ref)
        return answer

    async def on_approval(self, asking: Turn, approval: Approval, trust: Trust) -> None:
        self.waiting.add(approval, trust)

    async def show_cards(self, waited_s: float = 0.0) -> None:
        await self.waiting.show(waited_s=waited_s)

    async def asked(self, rank: int) -> tuple[str, ...]:
        """Who else is asked about a call that people of a rank decide."""
        return await self.replies.places.asked(rank, self.message, self.person())

    def ask_now(self, asking: Turn, call: ToolCall) -> LiveQuestions:
        """Questions of a tool during its call. A server may have written their text."""

        async def post(text: str, key: str) -> None:
            sent = step_key(StepKind.SEND, key)
            await self.replies.post(self.turn, sent, self._sending(text), Trust.EXTERNAL)

        return LiveQuestions(
            asking, call, post, self.replies.engine, self.replies.clock, self.burst
        )

    def _sending(
        self, text: str, choices: tuple[Choice, ...] = (), asks: Asks | None = None
    ) -> Sending:
        return self.replies.sending(self.message, text, choices, asks, self.burst.covers)


async def _heard(run: _RunReplies, asking: Turn, call: str) -> tuple[StoredBlock, ...]:
    """What others said in the place until an answer, quoted: the answer may rest on that.

    All that the run has not seen, so that its session is shown no line twice, and misses none.
    """
    burst = run.burst

    async def read() -> Recorded:
        there, person = run.message.conversation.key, run.person()
        database = run.replies.cards.database
        _, since = await visible_before(database, there, "", burst.seen, CONTEXT_MESSAGES)
        others = [one for one in since if is_missed(one, person.id, run.replies.agent)]
        block = visible_block(others, person, run.message.private)
        seen = max([burst.seen, *(one.id for one in since)])
        return Recorded({"blocks": [] if block is None else [block.to_json()], "seen": seen})

    if not (burst.seen and read_by_others(run.message)):
        return ()
    found: JsonObject = await asking.step(step_key(StepKind.HEARD, within=call), read)
    burst.seen = max(burst.seen, found["seen"])
    return tuple(map(StoredBlock.from_json, found["blocks"]))
