"""Files that people attach on Slack."""

from collections.abc import AsyncGenerator

from bot.chat.payloads import object_in, text_in
from bot.chat.slack_chat.connection import SlackConnection
from bot.chat.slack_chat.posts import Posts
from bot.chat.slack_chat.trouble import SlackRefused, SlackTrouble, as_delivery_error
from bot.domain.messages import Attachment
from bot.errors import DeliveryError

MOST_FILE_BYTES = 32 * 1024 * 1024


async def read_file(
    posts: Posts, connection: SlackConnection, attachment: Attachment
) -> AsyncGenerator[bytes]:
    """A file in pieces, by a fresh link.

    Raises DeliveryError when it is gone, cut off, elsewhere or too large.
    """
    try:
        found = object_in(await posts.call("files.info", file=attachment.ref), "file")
        url = text_in(found, "url_private_download")
        if not url:
            raise DeliveryError(
                f"{attachment.name} is not kept on Slack ({found.get('mode', 'no link')})"
            )
        async with connection.download(url, MOST_FILE_BYTES) as (mime, pieces):
            if mime == "text/html" and attachment.mime != "text/html":
                wrong = "Slack asks to sign in; check SLACK_BOT_TOKEN"
                raise DeliveryError(f"{attachment.name} can't be read: {wrong}")
            async for piece in pieces:
                yield piece
    except SlackRefused as refused:
        raise DeliveryError(f"{attachment.name} can't be read: {refused.error}") from refused
    except SlackTrouble as trouble:
        raise as_delivery_error(trouble) from trouble
