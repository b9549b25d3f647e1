"""One REST call as the routes see it."""

from dataclasses import dataclass, field

from bot.loopback.discord.bodies import ApiError, invalid, objects
from bot.loopback.discord.limits import LARGEST_FILE, check_message
from bot.loopback.discord.world import Message, StoredFile, World
from bot.plugin.models import JsonObject


@dataclass
class Request:
    """One request: the path's parameters, the JSON body, uploaded files."""

    method: str
    parameters: dict[str, str]
    query: dict[str, str]
    body: JsonObject
    uploads: list[tuple[str, str, bytes]] = field(default_factory=list[tuple[str, str, bytes]])
    """Field name, file name, bytes."""

    def id(self, name: str) -> int:
        """Return a snowflake of the path. Raises ApiError if it is not a number."""
        try:
            return int(self.parameters[name])
        except ValueError:
            raise invalid(
                name, f'Value "{self.parameters[name]}" is not snowflake.', "NUMBER_TYPE_COERCE"
            ) from None


@dataclass
class Reply:
    """An answer: JSON, or no body with status 204."""

    body: object = None
    status: int = 200


def posted_files(world: World, request: Request) -> list[StoredFile]:
    """Check and store a multipart body's files; `attachments` must list each."""
    announced = {str(item["id"]): item for item in objects(request.body, "attachments")}
    files: list[StoredFile] = []
    for field_name, name, data in request.uploads:
        number = field_name.removeprefix("files[").removesuffix("]")
        if len(data) > LARGEST_FILE:
            raise ApiError(413, 40005, "Request entity too large")
        if number not in announced:
            raise invalid("attachments", f"files[{number}] is not announced", "ATTACHMENT_MISSING")
        mime = "text/markdown" if name.endswith(".md") else "application/octet-stream"
        files.append(StoredFile(world.next_id(), name, mime, data))
    return files


def check(request: Request, *, new: bool, message: Message | None = None) -> None:
    """Raise ApiError if the message that is posted or edited breaks a limit."""
    check_message(request.body, len(request.uploads), new=new, message=message)
