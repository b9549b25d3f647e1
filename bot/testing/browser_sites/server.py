"""Serves the sites on two hosts of this machine, and notes what reached it."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import unquote

from bot.testing.web_site import Asked, WebSite, answer, redirect

_PAGES = Path(__file__).parent / "pages"
_OTHER = "127.0.0.2"
_HELP = (
    "<!doctype html><meta charset=utf-8><script>"
    "const put = what => fetch('did', {method: 'POST', body: what})\n"
    "const saw = what => fetch('saw?' + what)</script>"
)
_CITIES = [["F", "Frankfurt am Main"], ["FFO", "Frankfurt (Oder)"], ["B", "Berlin"]]
_FILE = re.compile(r'filename="([^"]*)"[^\r]*\r\n(?:[^\r]+\r\n)*\r\n([^\r]*)')


class BrowserSites:
    """`got` lists, per site, what its server got beyond the pages: `did` was sent by POST."""

    def __init__(self) -> None:
        self.got: dict[str, list[str]] = {}
        self.url = ""
        self.other = ""

    def answers(self, asked: Asked) -> bytes | None:
        path, _, query = asked.path.partition("?")
        site, _, what = path.strip("/").partition("/")
        got = self.got.setdefault(site, [])
        if asked.method == "POST":
            got.append(f"did {_sent(asked)}")
            if what == "enter":
                return _welcome()
            return answer("<title>Done</title><p>Done", content_type="text/html")
        match what:
            case "saw" | "open" | "bill.csv":
                got.append(f"{what} {unquote(query)}")
            case "more":
                first = int(query) * 15 - 14
                return answer(json.dumps([*range(first, first + 15)]))
            case "cities":
                wanted = unquote(query).casefold()
                return answer(
                    json.dumps([one for one in _CITIES if wanted and wanted in one[1].casefold()])
                )
            case "account" if "sid=ann" not in asked.headers.get("cookie", ""):
                return redirect("/login/")
            case _:
                pass
        return self._page(site, what)

    def _page(self, site: str, what: str) -> bytes:
        if what == "bill.csv":
            attached = {"Content_Disposition": "attachment; filename=bill.csv"}
            return answer("day,eur\n1,12\n", content_type="text/csv", **attached)
        if what == "slow":
            return answer("412 EUR")
        file = _PAGES / (f"{site}.{what}.html" if what else f"{site}.html")
        if not file.is_file():
            return answer(f"<title>{what}</title><p>This is {what}.", content_type="text/html")
        html = file.read_text().replace("OTHER", f"{self.other}/{site}")
        return answer(_HELP + html, content_type="text/html")


def _welcome() -> bytes:
    return answer(
        "", "303 See Other", Location="account", Set_Cookie="sid=ann; Path=/login; Max-Age=86400"
    )


def _sent(asked: Asked) -> str:
    text = asked.body.decode()
    file = _FILE.search(text)
    return f"{file[1]}: {file[2].split()[0]}" if file else text.partition("\n")[0]


@asynccontextmanager
async def browser_sites() -> AsyncGenerator[BrowserSites]:
    """Serve all sites on free ports of 127.0.0.1 and 127.0.0.2."""
    sites = BrowserSites()
    first, second = WebSite(sites.answers), WebSite(sites.answers, host=_OTHER)
    async with (
        await asyncio.start_server(first.serve, first.host, 0) as one,
        await asyncio.start_server(second.serve, second.host, 0) as two,
    ):
        first.port = one.sockets[0].getsockname()[1]
        second.port = two.sockets[0].getsockname()[1]
        sites.url, sites.other = first.url, second.url
        yield sites
