"""Webhooks: signed HTTP requests of other programs, with one automation's secret.

A request has X-Bellhop-Timestamp (seconds since 1970) and X-Bellhop-Signature: `sha256=` and the
hexadecimal HMAC-SHA256 of the timestamp, a full stop and the body. A caller that can't sign learns
nothing about automations.
"""

import hashlib
import hmac
import logging
from collections.abc import Callable, Mapping

from bot.automations.matching import fits_text
from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.automations.watching import Watching, event_key, event_text
from bot.domain.automations import Automation, Event, EventKind
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.errors import DefinitionError, SettingsError
from bot.log import register_secret

log = logging.getLogger(__name__)

PATH = "/hooks/{ref}"
KEY = "BELLHOP_WEBHOOK_KEY"
KEY_CHARS = 32
MOST_BYTES = 64 * 1024
"""Of the body: its text goes into a request of the model, which it would fill."""
_SKEW_S = 300
"""How far the time of a webhook may be from this machine's, in either direction."""
TIMESTAMP, SIGNATURE = "X-Bellhop-Timestamp", "X-Bellhop-Signature"
_REFUSED = (401, {"error": "the signature is missing, wrong or too old"})


def secret_of(automation: Automation, key: str) -> str:
    """The secret that signs requests to one automation.

    Raises SettingsError without a usable key.
    """
    if len(key) < KEY_CHARS:
        raise SettingsError(
            f"{KEY} is {'too short' if key else 'not set'}, so webhooks can't be signed; set it in "
            f".env to {KEY_CHARS} random characters or more"
        )
    made = f"webhook:{automation.ref}:{automation.created_at.isoformat()}"
    secret = hmac.new(key.encode(), made.encode(), hashlib.sha256).hexdigest()
    register_secret(secret)
    return secret


def path_of(automation: Automation) -> str:
    """The URL path of its webhooks."""
    return PATH.replace("{ref}", automation.ref)


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """The expected X-Bellhop-Signature."""
    signed = timestamp.encode("utf-8", "replace") + b"." + body
    return "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


class Webhooks:
    """Receives requests. They are stored when `receive` returns 202."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        watching: Watching,
        key: str,
        rescheduled: Callable[[], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._watching = watching
        self._key = key
        self._rescheduled = rescheduled
        self._automations = Automations(database)

    async def receive(
        self, ref: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, JsonObject]:
        """Handle a POST; returns status and answer. Raises StorageError when it can't be stored."""
        timestamp = headers.get(TIMESTAMP, "")
        automation = await self._automations.find(ref)
        if automation is None or not self._is_signed(
            automation, timestamp, headers.get(SIGNATURE, ""), body
        ):
            log.info("automation=<%s> | a webhook was refused", ref[:40])
            return _REFUSED
        if not automation.enabled:
            return 409, {"error": "the automation is paused"}
        try:
            trigger = stored_trigger(automation.text, automation.slug)
        except DefinitionError:
            return 409, {"error": "the automation can't be read; doctor says why"}
        text = event_text(body.decode("utf-8", "replace"))
        if not fits_text(trigger.filter, text):
            return 200, {"accepted": False, "why": "the filter leaves it out"}
        key = event_key(timestamp, body.decode("latin-1"))
        if await self._automations.knows(automation.ref, key):
            return 200, {"accepted": False, "why": "it was received before"}
        origin = Origin(Trust.EXTERNAL, f"webhook:{automation.ref}")
        noted = self._watching.noted(
            automation, Event(key, self._clock.now(), text or "(an empty body)", origin)
        )
        await self._database.write(noted.unit)
        if noted.comes_due:
            self._rescheduled()
        return 202, {"accepted": True}

    def _is_signed(
        self, automation: Automation, timestamp: str, signature: str, body: bytes
    ) -> bool:
        if automation.event != EventKind.WEBHOOK:
            return False
        try:
            expected = signature_of(secret_of(automation, self._key), timestamp, body)
        except SettingsError as error:
            log.warning(
                "automation=<%s>, error=<%s> | a webhook was refused", automation.ref, error
            )
            return False
        if not hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace")):
            return False
        if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
            return False
        return abs(self._clock.now().timestamp() - int(timestamp)) <= _SKEW_S
