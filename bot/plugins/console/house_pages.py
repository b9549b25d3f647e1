"""Approvals, what is kept of a person, people and rights, what runs by itself, skills, the log."""

from bot.plugin.site import PageAnswer
from bot.plugin.views import ActionTold
from bot.plugins.console.visits import Visit, download, missing

TIERS = ("user", "agent", "shared")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


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


async def decide(visit: Visit) -> PageAnswer:
    """What the button says: reject, approve, or approve:session and approve:target."""
    word, _, grant = visit.given("say").partition(":")
    if word not in {"approve", "reject"}:
        return await approval(visit, ActionTold("Press one of the buttons.", done=False))
    lines = [int(one) for one in visit.given("lines").split() if one.isascii() and one.isdigit()]
    told = await visit.views.approvals.decide(
        visit.who,
        visit.asked("ref"),
        approve=word == "approve",
        shown=visit.given("shown"),
        grant=grant,
        lines=lines,
    )
    return await approval(visit, told)


async def approval(visit: Visit, told: ActionTold | None = None) -> PageAnswer:
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


async def forget(visit: Visit) -> PageAnswer:
    told = await visit.views.memory.forget(visit.who, visit.given("ref"))
    return await memory(visit, told)


async def memory(visit: Visit, told: ActionTold | None = None) -> PageAnswer:
    tier = visit.asked("tier")
    tier = tier if tier in TIERS else TIERS[0]
    found = await visit.views.memory.look(visit.who, tier, behind=visit.asked("behind"))
    return visit.page(
        "memory", found=found, tier=tier, tiers=TIERS, told=told, title="Memory", here="memory"
    )


async def disconnect(visit: Visit) -> PageAnswer:
    told = await visit.views.own.disconnect(visit.who, visit.given("service"))
    return await own(visit, told)


async def own(visit: Visit, told: ActionTold | None = None) -> PageAnswer:
    return visit.page(
        "own",
        todos=await visit.views.own.todos(visit.who, behind=visit.asked("todos")),
        files=await visit.views.own.files(visit.who, behind=visit.asked("files", 1_000)),
        services=await visit.views.own.services(visit.who),
        told=told,
        title="Yours",
        here="own",
    )


async def file(visit: Visit) -> PageAnswer:
    path = visit.asked("path", 1_000)
    data = await visit.views.own.file(visit.who, path)
    return missing(visit) if data is None else download(data, _plain(path))


async def export(visit: Visit) -> PageAnswer:
    data = await visit.views.own.export(visit.who)
    return download(data, "bellhop-export.zip", "application/zip")


def _plain(path: str) -> str:
    """A name for the browser to save a file under, of harmless characters alone."""
    name = path.rpartition("/")[2]
    return "".join(
        one if one.isascii() and (one.isalnum() or one in "._-") else "_" for one in name
    )


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


async def change_unattended(visit: Visit) -> PageAnswer:
    told = await visit.views.unattended.change(
        visit.who, visit.given("verb"), visit.asked("ref"), visit.given("once", 64)
    )
    return await unattended(visit, told)


async def unattended(visit: Visit, told: ActionTold | None = None) -> PageAnswer:
    found = await visit.views.unattended.look(visit.who, behind=visit.asked("behind"))
    name = await visit.called({one.owner for one in found.rows})
    return visit.page(
        "unattended", found=found, name=name, told=told, title="Schedules and automations",
        here="unattended",
    )  # fmt: skip


async def decide_staged(visit: Visit) -> PageAnswer:
    word = visit.given("say")
    if word not in {"approve", "reject"}:
        return await staged(visit, ActionTold("Press one of the buttons.", done=False))
    told = await visit.views.skills.decide(
        visit.who,
        visit.asked("name"),
        approve=word == "approve",
        content=visit.given("content"),
        accepted=visit.given("accepted") == "1",
    )
    return await (skills(visit, told) if told.done else staged(visit, told))


async def skills(visit: Visit, told: ActionTold | None = None) -> PageAnswer:
    return visit.page(
        "skills",
        skills=await visit.views.skills.look(visit.who, behind=visit.asked("behind")),
        staged=await visit.views.skills.staged(visit.who),
        told=told,
        title="Skills",
        here="skills",
    )


async def staged(visit: Visit, told: ActionTold | None = None) -> PageAnswer:
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
