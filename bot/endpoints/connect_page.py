"""The page that a service sends people back to.

It says for whom it connects, and connects when they press its button.

Who opens the page is not known: a link can be passed on. So it names the person whose requests will
use the account. Reading it changes nothing, which also keeps link previews from using it up.
"""

from collections.abc import Mapping
from html import escape

from bot.connections.connecting import OVER, Connecting

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bellhop</title>
<style>
body{{font:16px/1.5 system-ui;max-width:32rem;margin:15vh auto;padding:0 1rem}}
button{{font:inherit;padding:.5rem 1.5rem}}
</style>
</head><body>{0}</body></html>
"""
_LONGEST = 4_000


class ConnectPage:
    """Returns status and HTML, without any text of the request."""

    def __init__(self, connecting: Connecting) -> None:
        self._connecting = connecting

    async def look(self, given: Mapping[str, str]) -> tuple[int, str]:
        """GET: for whom this is, with the button."""
        state, code = given.get("state", ""), given.get("code", "")
        pending = await self._connecting.pending(state)
        if pending is None or len(state) + len(code) > _LONGEST:
            return 400, _said(OVER.text)
        name = pending.service.title
        if not code:
            return 400, _said(
                f"{name} was not connected: it gave no permission. /connect makes a new link."
            )
        hidden = "".join(
            f'<input type="hidden" name="{field}" value="{escape(value)}">'
            for field, value in (("state", state), ("code", code))
        )
        return 200, _PAGE.format(
            f"<h1>Connect {escape(name)}</h1><p>From now on the requests of "
            f"<strong>{escape(pending.shown)}</strong> can use this account. If that is not you, "
            "close this page.</p>"
            f'<form method="post">{hidden}<button>Connect</button></form>'
        )

    async def press(self, given: Mapping[str, str]) -> tuple[int, str]:
        """POST: the button was pressed."""
        outcome = await self._connecting.finish(given.get("state", ""), given.get("code", ""))
        if outcome.service is None:
            return 400, _said(outcome.text)
        return 200, _said(
            f"{outcome.text} You can close this page."
            " If you asked for something that needed it, the answer comes in the chat."
        )


def _said(text: str) -> str:
    return _PAGE.format(f"<p>{escape(text)}</p>")
