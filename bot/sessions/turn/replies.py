"""Messages from a turn to its person: answers, questions and the live view."""

from dataclasses import replace

from bot.agents.loop.callbacks import Asking, Callbacks
from bot.domain.approvals import Approval
from bot.domain.chat import LiveReply
from bot.domain.messages import Choice, Delivery, IncomingMessage, OutgoingMessage
from bot.domain.origins import Trust
from bot.domain.step_keys import ANSWER, StepKind, in_scope, step_key
from bot.domain.tools import ToolCall
from bot.domain.turns import Answer, Turn
from bot.sessions.approvals.card_places import CardPlaces
from bot.sessions.approvals.cards import ApprovalCards
from bot.sessions.house import House
from bot.sessions.outbox.card_store import Asks
from bot.sessions.outbox.outbox import Sending
from bot.sessions.turn.elsewhere import Elsewhere
from bot.sessions.turn.live_questions import LiveQuestions


class Replies:
    """Posts for turns; has no state of a turn."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.places = CardPlaces(house.database, house.contacts, house.adapters, house.rules.notify)
        self._approval_cards = ApprovalCards(house, self.places)
        self._elsewhere = Elsewhere(house)

    async def live(self, turn: Turn, message: IncomingMessage) -> LiveReply:
        """The live view of the work, if the person's platform is connected."""
        adapter = self._house.adapters.get(message.conversation.platform)
        if adapter is None:
            return NobodyWatches()
        return adapter.live(
            message.reply_to, turn.ref, await self._house.outbox.key_of(turn, ANSWER)
        )

    def callbacks(self, turn: Turn, message: IncomingMessage, live: LiveReply) -> Callbacks:
        """The callbacks by which a message's run reaches its person."""

        async def send(text: str, *, key: str, trust: Trust, to: str | None = None) -> Delivery:
            sending = (
                self.sending(message, text)
                if to is None
                else await self._elsewhere.sending(turn, key, message, text, to)
            )
            return await self.post(turn, key, sending, trust)

        async def ask(asking: Turn, key: str, question: Asking) -> Answer:
            choices = tuple(
                Choice(option, turn.ref, "answer", option) for option in question.options
            )
            asks = Asks(turn.ref, in_scope(asking.prefix, key)) if choices else None
            await self.post(
                turn,
                step_key(StepKind.SEND, key),
                self.sending(message, question.text, choices, asks),
                question.trust,
            )
            person = self._house.person(message)
            answer = await asking.ask(
                key, person.id, message.conversation.key, question.text, question.options
            )
            self._house.cards.look(turn.ref)
            return answer

        async def on_approval(asking: Turn, approval: Approval, trust: Trust) -> None:
            for to, sending in await self._approval_cards.sendings(message, approval):
                await self.post(
                    turn, step_key(StepKind.SEND, f"approval:{approval.ref}{to}"), sending, trust
                )

        async def asked(rank: int) -> tuple[str, ...]:
            return await self.places.asked(rank, message, self._house.person(message))

        def ask_now(asking: Turn, call: ToolCall) -> LiveQuestions:
            async def post(text: str, key: str) -> None:
                # The text of a tool that asks during its call, such as a server's.
                await self.post(
                    turn, step_key(StepKind.SEND, key), self.sending(message, text), Trust.EXTERNAL
                )

            return LiveQuestions(asking, call, post, self._house.engine, self._house.clock)

        return Callbacks(
            send,
            live.show,
            lambda: self._house.person(message),
            self._house.rescheduled,
            on_approval,
            asked,
            ask,
            ask_now,
        )

    async def post(
        self, turn: Turn, key: str, sending: Sending, trust: Trust, live: LiveReply | None = None
    ) -> Delivery:
        """Send text from a run; other sessions trust it no more than the run's context."""
        return await self._house.outbox.send(
            turn, key, replace(sending, trust=max(Trust.MEMBER, trust)), live
        )

    async def say(
        self,
        turn: Turn,
        key: str,
        message: IncomingMessage,
        text: str,
        live: LiveReply | None = None,
    ) -> None:
        """Post a sentence of our own."""
        await self._house.outbox.send(turn, key, self.sending(message, text), live)

    def sending(
        self,
        message: IncomingMessage,
        text: str,
        choices: tuple[Choice, ...] = (),
        asks: Asks | None = None,
    ) -> Sending:
        outgoing = OutgoingMessage(message.reply_to, text, choices)
        person, agent = self._house.person(message).id, self._house.rules.default_agent
        return Sending(outgoing, person, agent, asks=asks, asker=message.sender.id)


class NobodyWatches:
    """The live view for a platform that is not connected."""

    def show(self, update: object) -> None:
        return

    async def close(self) -> None:
        return
