"""Files of a call, in the form in which discord.py takes them."""

import io
from typing import Any

import discord

from bot.chat.discord_chat.seen import RestCall


def multipart(call: RestCall) -> dict[str, Any]:
    """The form in which discord.py takes uploads: it rewinds the files and rebuilds it per try."""
    files = [discord.File(io.BytesIO(upload.data), upload.name) for upload in call.files]
    body = {"name": "payload_json", "value": discord.utils._to_json(call.body)}  # noqa: SLF001 - its own encoder
    form: list[dict[str, Any]] = [body]
    for number, (file, upload) in enumerate(zip(files, call.files, strict=True)):
        form.append(
            {
                "name": f"files[{number}]",
                "value": file.fp,
                "filename": upload.name,
                "content_type": "application/octet-stream",
            }
        )
    return {"files": files, "form": form}
