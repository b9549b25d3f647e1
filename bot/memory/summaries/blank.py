"""An empty summary."""

from bot.domain.origins import Trust
from bot.domain.privacy import IN_DM, Learned
from bot.domain.sessions import Session
from bot.domain.summaries import ConversationSummary, SummaryFields
from bot.memory.summaries.store import summary_id


def blank_summary(
    session: Session, epoch: int, learned: Learned = IN_DM, trust: Trust = Trust.EXTERNAL
) -> ConversationSummary:
    """An empty summary of one epoch: as private and untrusted as possible by default."""
    return ConversationSummary(
        id=summary_id(session.id, epoch),
        session_id=session.id,
        epoch=epoch,
        person=session.key.person,
        role=session.role,
        agent=session.agent,
        conversation=session.key.conversation_key,
        learned=learned,
        trust=trust,
        began_at=session.opened_at,
        ended_at=session.last_at,
        fields=SummaryFields(""),
        by_model=False,
    )
