"""People and rights, what runs by itself, skills, the log."""

from bot.plugin.site import PageAnswer
from bot.plugin.views import ActionTold
from bot.plugins.console.visits import Visit, missing

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


async def people(visit: Visit) -> PageAnswer:
    found = await visit.views.people.look(visit.who, behind=visit.asked("behind"))
    return visit.page("people", found=found, title="People", here="people")


async def rights(visit: Visit) -> PageAnswer:
    """Of oneself, or for the operator of the person whom the address names."""
    place = visit.asked("in") or "dm"
    found = await visit.views.people.rights(visit.who, visit.asked("person"), place)
    if isinstance(found, str) and place == "dm":
        return missing(visit)
    own = found if isinstance(found, str) else found.person.id == visit.who.person.id
    here = "people" if visit.asked("person") else "rights"
    return visit.page(
        "rights", found=found, place=place, own=own, title="Rights", here=here,
        person=visit.asked("person"), open_only=visit.asked("open") == "1",
    )  # fmt: skip


async def unattended(visit: Visit) -> PageAnswer:
    return await _unattended(visit, None)


async def change_unattended(visit: Visit) -> PageAnswer:
    told = await visit.views.unattended.change(
        visit.who, visit.given("verb"), visit.asked("ref"), visit.given("once", 64)
    )
    return await _unattended(visit, told)


async def _unattended(visit: Visit, told: ActionTold | None) -> PageAnswer:
    found = await visit.views.unattended.look(visit.who, behind=visit.asked("behind"))
    name = await visit.called({one.owner for one in found.rows})
    return visit.page(
        "unattended", found=found, name=name, told=told, title="Schedules and automations",
        here="unattended",
    )  # fmt: skip


async def skills(visit: Visit) -> PageAnswer:
    return await _skills(visit, None)


async def staged(visit: Visit) -> PageAnswer:
    return await _staged(visit, None)


async def decide_staged(visit: Visit) -> PageAnswer:
    word = visit.given("say")
    if word not in {"approve", "reject"}:
        return await _staged(visit, ActionTold("Press one of the buttons.", done=False))
    told = await visit.views.skills.decide(
        visit.who,
        visit.asked("name"),
        approve=word == "approve",
        content=visit.given("content"),
        accepted=visit.given("accepted") == "1",
    )
    return await (_skills(visit, told) if told.done else _staged(visit, told))


async def _skills(visit: Visit, told: ActionTold | None) -> PageAnswer:
    return visit.page(
        "skills",
        skills=await visit.views.skills.look(visit.who, behind=visit.asked("behind")),
        staged=await visit.views.skills.staged(visit.who),
        told=told,
        title="Skills",
        here="skills",
    )


async def _staged(visit: Visit, told: ActionTold | None) -> PageAnswer:
    found = await visit.views.skills.one_staged(visit.who, visit.asked("name"))
    if found is None:
        return missing(visit)
    return visit.page(
        "staged", one=found, told=told, title=f"Staged: {found.row.name}", here="skills"
    )


async def log(visit: Visit) -> PageAnswer:
    words, level = visit.asked("words"), visit.asked("level")
    level = level if level in LEVELS else "INFO"
    found = await visit.views.log.search(visit.who, words, level, behind=visit.asked("behind"))
    return visit.page(
        "log", found=found, words=words, level=level, levels=LEVELS, title="Log", here="log"
    )
