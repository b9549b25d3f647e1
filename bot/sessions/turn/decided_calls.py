"""Turns about a decision: of a stranger whom somebody has to name, and of a stored call.

A stranger's message waits while those who may decide are asked who the sender is. After a decision
about a call it runs or not, and the agent tells the person. A text that `/share` showed is shared
or not.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from bot.agents.loop.pipeline import ToolPipeline
from bot.domain.access import Person, Role
from bot.domain.approvals import SHARE, Approval, ApprovalState
from bot.domain.languages import Phrase, joined, language_of_app
from bot.domain.messages import Asks, Delivery, IncomingMessage, OutgoingMessage
from bot.domain.origins import Trust
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.tool_outcomes import Confined, ForAsker
from bot.domain.tools import ToolCall
from bot.domain.turns import Recorded, Turn
from bot.domain.work import DecisionWork, StrangerWork, Work
from bot.sessions.approvals.cards import CardPlaces
from bot.sessions.approvals.decisions import (
    decided_words,
    extended_words,
    planned_words,
    rejected_words,
    what_to_do,
)
from bot.sessions.learning.sharing import Audience, Sharing
from bot.sessions.outbox.outbox import Sending
from bot.sessions.outbox.spoken_language import spoken_at
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.pairing import PAIR, Pairing, card_about
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.run.setup import Prepared
from bot.sessions.turn.run_ends import SessionRuns
from bot.sessions.wording.languages import language_for
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.bundles import Bundles
from bot.tools.permission.plans_store import PLAN_CALLS, SEVERAL_CALLS

NOTHING = Phrase("I shared nothing.")


@dataclass(frozen=True)
class StrangersAsked:
    """Asks about strangers. `post` sends a card, `say` answers the message."""

    contacts: Contacts
    pairing: Pairing
    approvals: ApprovalStore
    cards: CardPlaces
    post: Callable[[Turn, str, Sending, Trust], Awaitable[Delivery]]
    say: Callable[[Turn, str, IncomingMessage, str], Awaitable[None]]
    agent: str
    """Who asks."""

    async def ask_about(self, turn: Turn, work: StrangerWork, message: IncomingMessage) -> bool:
        """False if the sender was named after the message was accepted: it is to be answered."""
        person, pairing = self.contacts.sender_of(message), self.pairing
        if not self.contacts.is_stranger(message.conversation, message.sender):
            return False
        request = pairing.request(message, work.envelope, person, turn.session)
        admins = await self.cards.admins(besides=person)

        async def propose() -> Recorded:
            if await pairing.is_settled(person):
                return Recorded("settled")
            if not admins or await pairing.is_full():
                return Recorded("full" if admins else "nobody")
            return Recorded("asked", self.approvals.store_unit(request))

        async with pairing.lock:
            became = await turn.step(step_key(StepKind.PAIR), propose)
        if became == "asked":
            for id_, target in admins:
                language = await spoken_at(self.cards.database, target.conversation)
                card = card_about(request, message.text, language)
                outgoing = OutgoingMessage(
                    target, card.text, card.choices, language=language, while_open=card.how
                )
                sending = Sending(outgoing, id_, self.agent, in_order=False, asks=Asks(request.ref))
                await self.post(
                    turn, step_key(StepKind.SEND, f"pair:{id_}"), sending, Trust.OUTSIDER
                )
            language = language_for(message)
            names = joined(self.cards.names(admins), language)
            told = Phrase(
                "We haven't met, so I have asked {names} who you are. I answer your message after "
                "their yes."
            ).said(language, names=names)
            await self.say(turn, ANSWER, message, told)
        elif became != "settled":
            why = (
                Phrase(
                    "We haven't met, and I am asking about other people already. Write to me "
                    "again tomorrow."
                )
                if became == "full"
                else Phrase("We haven't met, and there is nobody here whom I could ask about you.")
            )
            await self.say(turn, ANSWER, message, why.said(language_for(message)))
        return True


@dataclass(frozen=True)
class DecidedShares:
    """Shares after a yes, if nothing that the card said has changed."""

    sharing: Sharing
    approvals: ApprovalStore
    channels: Channels

    async def outcome(self, approval: Approval, person: Person) -> Recorded:
        """The sentence for the person, and what is written with it. May be repeated."""
        done = self.approvals.done_unit(approval.ref)
        asked = incoming_from_json(approval.envelope)
        language = language_of_app(asked.locale)
        if approval.state is ApprovalState.REJECTED:
            return Recorded(NOTHING.said(language))
        if approval.decided_by != person.id:
            own = Phrase("I shared nothing: only you can say yes to that.")
            return Recorded(own.said(language), done)
        text = str(approval.arguments["text"])
        location = await self.channels.locate_for(person.id, asked.conversation)
        if problem := self.sharing.problem(text, person, location, language):
            return Recorded(f"{NOTHING.said(language)} {problem}", done)
        audience = self.sharing.audience(location)
        if not _told_of(approval, audience):
            others = Phrase(
                "I shared nothing: others would see it than I told you. Say `/share` again."
            )
            return Recorded(others.said(language), done)
        shared = await self.sharing.share(person, text, audience.workspace)
        return Recorded(shared.said(language), shared.unit + done)


def _told_of(approval: Approval, audience: Audience) -> bool:
    """Whether the card told of these readers."""
    told = approval.arguments
    return told["readers"] == audience.ref and told["workspace"] == audience.workspace


Converse = Callable[[Turn, Work, IncomingMessage], Awaitable[None]]


@dataclass(frozen=True)
class DecidedCalls:
    """Goes on after somebody's yes or no."""

    runs: SessionRuns
    approvals: ApprovalStore
    pairing: Pairing
    pipeline: ToolPipeline
    shares: DecidedShares
    bundles: Bundles

    async def go_on(
        self, turn: Turn, work: DecisionWork, message: IncomingMessage, converse: Converse
    ) -> None:
        """Run the call or not, and let the agent tell the person.

        `converse` answers the message of a stranger who has been named.
        """
        replies = self.runs.replies
        approval = await self.approvals.get(work.ref)
        if approval is None or replies.people.contacts.sender_of(message).role is Role.BANNED:
            return
        if approval.tool == PAIR:
            waited = await self.pairing.waiting(message)
            if waited is not None and approval.state is not ApprovalState.REJECTED:
                await converse(turn, work, waited)
            return
        if approval.tool == EXTEND_BUDGET and approval.state is ApprovalState.REJECTED:
            stops = Phrase("My budget for today is used up, so I stop here.")
            await replies.say(turn, ANSWER, message, stops.said(language_for(message)))
            return
        if approval.tool == SHARE:
            person = replies.people.contacts.sender_of(message)
            said = await turn.step(
                step_key(StepKind.SHARE), lambda: self.shares.outcome(approval, person)
            )
            await replies.say(turn, ANSWER, message, said)
            return
        live = await replies.live(turn, message)
        try:
            prepared = await self.runs.prepare(turn, work, message, live)
            said = await self._outcome_words(turn, work, approval, prepared)
            told = what_to_do(approval, known=work.known)
            prepared = replace(prepared, note=f"{prepared.note} {told}")
            await self.runs.finish(turn, message, prepared, said, live)
        finally:
            await live.close()

    async def _outcome_words(
        self, turn: Turn, work: DecisionWork, approval: Approval, prepared: Prepared
    ) -> list[StoredBlock]:
        if approval.state is ApprovalState.REJECTED:
            return [rejected_words(approval)]
        if approval.tool == EXTEND_BUDGET:
            return [extended_words(approval)]
        if approval.tool == PLAN_CALLS:
            return [planned_words(approval, work.lines or ())]
        calls = [approval]
        if approval.tool == SEVERAL_CALLS:
            calls = await self.bundles.calls(approval)
        return [
            await self._ran(turn, one, position, prepared) for position, one in enumerate(calls)
        ]

    async def _ran(
        self, turn: Turn, approval: Approval, position: int, prepared: Prepared
    ) -> StoredBlock:
        """Run one call, unless it was left out, and say what came of it."""
        if approval.state is ApprovalState.REJECTED:
            return rejected_words(approval)
        call = ToolCall(
            f"approved_{approval.ref}",
            approval.tool,
            approval.arguments,
            step_key(StepKind.TOOL, f"0.{position}"),
        )
        run = self.runs.setup.acting(prepared.run, approval.agent)
        result = await self.pipeline.run_approved(run, turn, approval, call)
        for effect in result.effects:
            match effect:
                case ForAsker():
                    prepared.run.narrow()
                case Confined(limits, lifted=False):
                    prepared.run.confine(limits)
                case _:  # the rest is for the run that asked, which is over
                    continue
        return decided_words(approval, result)
