"""Previews of Bellhop's own links that people post (unfurls).

A preview is seen by everybody who reads the message. So it holds only what its link shows to
whoever opens it, and every other link stays as it is.
"""

from bot.plugin.payloads import JsonObject, objects_in, text_in
from bot.plugin.surfaces import LinkDesk
from bot.plugins.slack_chat.connection import SlackConnection

_MOST = 5
"""Links of one message that are looked at."""
_COMPOSER = "composer"


class SlackLinks:
    """Shows previews; without a desk there are none."""

    def __init__(self, connection: SlackConnection) -> None:
        self._connection = connection
        self.desk: LinkDesk | None = None

    async def shared(self, event: JsonObject) -> None:
        """A `link_shared` event. Raises SlackTrouble, StorageError."""
        if self.desk is None:
            return
        urls = [text_in(link, "url") for link in objects_in(event, "links")[:_MOST]]
        lines = {url: await self.desk.line(url) for url in urls}
        previews = {url: _preview(line) for url, line in lines.items() if line}
        known_by = _known_by(event)
        if previews and all(known_by.values()):
            await self._connection.call("chat.unfurl", **known_by, unfurls=previews)


def _known_by(event: JsonObject) -> JsonObject:
    """What Slack knows the message by; one that is being written has no place yet."""
    if event.get("source") == _COMPOSER:
        return {"source": _COMPOSER, "unfurl_id": text_in(event, "unfurl_id")}
    return {"channel": text_in(event, "channel"), "ts": text_in(event, "message_ts")}


def _preview(line: str) -> JsonObject:
    text = {"type": "plain_text", "text": line, "emoji": False}
    return {"blocks": [{"type": "section", "text": text}]}
