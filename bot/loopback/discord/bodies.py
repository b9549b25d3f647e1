"""JSON bodies: fields that may be missing or null, and the errors that name a field."""

from typing import Any, cast

from bot.plugin.models import JsonObject


def objects(body: JsonObject, name: str) -> list[JsonObject]:
    """Return a list of objects; empty when the field is missing or null."""
    return cast("list[JsonObject]", body.get(name) or [])


def texts(body: JsonObject, name: str) -> list[str]:
    """Return a list of texts (ids too); empty when the field is missing or null."""
    return [str(item) for item in cast("list[Any]", body.get(name) or [])]


class ApiError(Exception):
    """An answer with Discord's own error body."""

    def __init__(
        self, status: int, code: int, message: str, errors: JsonObject | None = None
    ) -> None:
        super().__init__(f"{status} ({code}): {message}")
        self.status = status
        self.body: JsonObject = {"message": message, "code": code}
        if errors:
            self.body["errors"] = errors


def invalid(field: str, message: str, code: str = "BASE_TYPE_BAD_LENGTH") -> ApiError:
    """Return error 50035: a field of the body breaks a rule."""
    found: JsonObject = {"_errors": [{"code": code, "message": message}]}
    for part in reversed(field.split(".")):
        found = {part: found}
    return ApiError(400, 50035, f"Invalid Form Body\nIn {field}: {message}", found)


def unknown(what: str) -> ApiError:
    codes = {
        "Channel": 10003,
        "Message": 10008,
        "User": 10013,
        "Interaction": 10062,
        "Webhook": 10015,
        "Member": 10007,
    }
    return ApiError(404, codes[what], f"Unknown {what}")
