"""A person's own part: memory, todos, files, connected services, everything as an archive."""

from bot.plugin.site import PageAnswer
from bot.plugin.views import ActionTold
from bot.plugins.console.visits import Visit, download, missing

TIERS = ("user", "agent", "shared")


async def memory(visit: Visit) -> PageAnswer:
    return await _memory(visit, None)


async def forget(visit: Visit) -> PageAnswer:
    told = await visit.views.memory.forget(visit.who, visit.given("ref"))
    return await _memory(visit, told)


async def _memory(visit: Visit, told: ActionTold | None) -> PageAnswer:
    tier = visit.asked("tier")
    tier = tier if tier in TIERS else TIERS[0]
    found = await visit.views.memory.look(visit.who, tier, behind=visit.asked("behind"))
    return visit.page(
        "memory", found=found, tier=tier, tiers=TIERS, told=told, title="Memory", here="memory"
    )


async def own(visit: Visit) -> PageAnswer:
    return await _own(visit, None)


async def disconnect(visit: Visit) -> PageAnswer:
    told = await visit.views.own.disconnect(visit.who, visit.given("service"))
    return await _own(visit, told)


async def _own(visit: Visit, told: ActionTold | None) -> PageAnswer:
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
