"""How a run ended: what its person sees, and what the cycle log keeps."""

import logging
from typing import assert_never

from bot.agents.outcomes import Answered, Failed, LoopOutcome, Stopped
from bot.agents.run import Run
from bot.domain.access import Role
from bot.domain.cycles import CycleStatus
from bot.sessions.wording import sentences

log = logging.getLogger(__name__)


def visible(outcome: LoopOutcome, run: Run, ref: str) -> str:
    """What the person sees at the end; nothing when the answer only repeats the last `send`."""
    match outcome:
        case Answered(text, _, follow_up) if follow_up and follow_up.strip() not in text:
            return f"{text}\n\n{sentences.follow_up(follow_up)}"
        case Answered(text):
            return "" if run.record.sent and run.record.sent[-1].strip() == text.strip() else text
        case Stopped():
            return sentences.stopped(outcome)
        case Failed():
            log.warning(
                "session=<%s>, kind=<%s>, reason=<%s> | no answer",
                run.context.session_id,
                outcome.kind,
                outcome.reason,
            )
            return sentences.failure(outcome, ref, runs_me=run.person.role is Role.MASTER_ADMIN)
        case _:
            assert_never(outcome)


def status_of(outcome: LoopOutcome) -> tuple[CycleStatus, str | None]:
    match outcome:
        case Answered():
            return CycleStatus.COMPLETE, None
        case Stopped():
            return CycleStatus.ABANDONED, "stopped by the person"
        case Failed():
            return CycleStatus.ERROR, outcome.reason
        case _:
            assert_never(outcome)
