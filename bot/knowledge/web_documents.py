"""Documents of the web for `web_fetch`: read like those that people send."""

from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from bot.errors import DocumentError
from bot.knowledge.kinds import DOCUMENTS
from bot.knowledge.reading import DocumentReader, RawDocument
from bot.web.response import WebResponse
from bot.web.trouble import WebError


class WebDocuments:
    """Gives the text of an answer that is a document."""

    def __init__(self, reader: DocumentReader) -> None:
        self._reader = reader

    async def text(self, response: WebResponse) -> str:
        """Raises WebError, for what is no readable document too."""
        name = PurePosixPath(unquote(urlsplit(response.url).path)).name or response.url
        raw = RawDocument(name, response.body, response.media_type, response.url)
        size = f"{response.url} is {response.media_type or 'no text'} ({len(response.body):,} bytes"
        if raw.kind not in DOCUMENTS:
            raise WebError(f"{size}), and only text and documents can be read")
        if response.cut:
            raise WebError(f"{size} and more), which is more than a page may have")
        try:
            read = await self._reader.whole(raw)
        except DocumentError as error:
            raise WebError(str(error)) from error
        if not read.text:
            raise WebError(f"{response.url} has no text: {read.note or 'it is empty'}")
        return f"{read.text}\n\n[{read.note}]" if read.note else read.text
