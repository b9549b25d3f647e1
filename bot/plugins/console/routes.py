"""Every address of the console, with who may ask for it. `tests/plugins/console` tries them all."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Literal, TypeAlias

from bot.plugin.site import PageAnswer
from bot.plugins.console import approval_pages, house_pages, own_pages, usage_pages, work_pages
from bot.plugins.console.visits import Visit

Handle: TypeAlias = Callable[[Visit], Awaitable[PageAnswer]]


class Need(Enum):
    """Who may ask. What a page then shows, the views decide for each row."""

    PERSON = auto()
    """Whoever is signed in."""
    OPERATOR = auto()
    """A MasterAdmin. For others the page does not exist."""


@dataclass(frozen=True)
class Route:
    method: Literal["GET", "POST"]
    path: str
    """Behind that of the console."""
    need: Need
    handle: Handle


def _get(path: str, handle: Handle, need: Need = Need.PERSON) -> Route:
    return Route("GET", path, need, handle)


def _post(path: str, handle: Handle, need: Need = Need.PERSON) -> Route:
    return Route("POST", path, need, handle)


ROUTES: tuple[Route, ...] = (
    _get("", work_pages.now),
    _get("/live", work_pages.now_live),
    _get("/runs", work_pages.runs),
    _get("/runs/{run}", work_pages.run),
    _get("/runs/{run}/live", work_pages.run_live),
    _get("/approvals", approval_pages.approvals),
    _get("/approvals/{ref}", approval_pages.approval),
    _post("/approvals/{ref}", approval_pages.decide),
    _get("/usage", usage_pages.usage),
    _get("/memory", own_pages.memory),
    _post("/memory", own_pages.forget),
    _get("/rights", house_pages.rights),
    _get("/people", house_pages.people, Need.OPERATOR),
    _get("/people/{person}", house_pages.rights, Need.OPERATOR),
    _get("/unattended", house_pages.unattended),
    _post("/unattended/{ref}", house_pages.change_unattended),
    _get("/skills", house_pages.skills),
    _get("/staged/{name}", house_pages.staged, Need.OPERATOR),
    _post("/staged/{name}", house_pages.decide_staged, Need.OPERATOR),
    _get("/own", own_pages.own),
    _get("/own/file", own_pages.file),
    _get("/own/export", own_pages.export),
    _post("/own/disconnect", own_pages.disconnect),
    _get("/log", house_pages.log, Need.OPERATOR),
)
