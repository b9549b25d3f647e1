"""What waits for a yes, and deciding about it."""

from bot.plugin.site import PageAnswer
from bot.plugin.views import ActionTold
from bot.plugins.console.visits import Visit, missing


async def approvals(visit: Visit) -> PageAnswer:
    waiting = await visit.views.approvals.waiting(visit.who, behind=visit.asked("waiting"))
    past = await visit.views.approvals.past(visit.who, behind=visit.asked("behind"))
    people = {x for one in (*waiting.rows, *past.rows) for x in (one.person, one.decided_by) if x}
    return visit.page(
        "approvals",
        waiting=waiting,
        past=past,
        name=await visit.called(people),
        title="Approvals",
        here="approvals",
    )


async def approval(visit: Visit) -> PageAnswer:
    return await _shown(visit, None)


async def decide(visit: Visit) -> PageAnswer:
    """What the button says: reject, approve, or approve:session and approve:target."""
    word, _, grant = visit.given("say").partition(":")
    if word not in {"approve", "reject"}:
        return await _shown(visit, ActionTold("Press one of the buttons.", done=False))
    lines = [int(one) for one in visit.given("lines").split() if one.isascii() and one.isdigit()]
    told = await visit.views.approvals.decide(
        visit.who,
        visit.asked("ref"),
        approve=word == "approve",
        shown=visit.given("shown"),
        grant=grant,
        lines=lines,
    )
    return await _shown(visit, told)


async def _shown(visit: Visit, told: ActionTold | None) -> PageAnswer:
    found = await visit.views.approvals.one(visit.who, visit.asked("ref"))
    if found is None:
        return missing(visit)
    return visit.page(
        "approval",
        one=found,
        told=told,
        name=await visit.called([found.row.person, found.row.decided_by]),
        title=f"Approval {found.row.ref}",
        here="approvals",
    )
