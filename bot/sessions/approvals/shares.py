"""What follows a decision about a text that `/share` showed."""

from dataclasses import dataclass

from bot.domain.access import Person
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.turns import Recorded
from bot.sessions.learning.sharing import Sharing
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import incoming_from_json
from bot.tools.permission.approvals import ApprovalStore


@dataclass(frozen=True)
class DecidedShares:
    """Shares after a yes, if nothing that the card said has changed."""

    sharing: Sharing
    approvals: ApprovalStore
    channels: Channels

    async def outcome(self, approval: Approval, person: Person) -> Recorded:
        """The sentence for the person, and what is written with it. May be repeated."""
        done = self.approvals.done_unit(approval.ref)
        if approval.state is ApprovalState.REJECTED:
            return Recorded("I shared nothing.")
        if approval.decided_by != person.id:
            return Recorded("I shared nothing: only you can say yes to that.", done)
        text = str(approval.arguments["text"])
        there = incoming_from_json(approval.envelope).conversation
        location = await self.channels.locate_for(person.id, there)
        if problem := self.sharing.problem(text, person, location):
            return Recorded(f"I shared nothing. {problem}", done)
        audience = self.sharing.audience(location)
        if (audience.workspace, audience.words) != (
            approval.arguments["workspace"],
            approval.arguments["seen_by"],
        ):
            return Recorded(
                "I shared nothing: others would see it than I told you. Say `/share` again.", done
            )
        shared = await self.sharing.share(person, text, audience.workspace)
        return Recorded(shared.said, shared.unit + done)
