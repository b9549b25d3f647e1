"""Signing in: a link for one person, and the browsers that are signed in.

Links and cookies are 256 random bits, of which only a hash is kept.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.plugin.plugin import Clock
from bot.plugin.site import register_secret
from bot.plugin.tables import Database, UnitRejected
from bot.plugin.views import Person
from bot.plugins.console import session_store as store
from bot.plugins.console.session_store import KeptLogin

LINK_LIFE = timedelta(minutes=10)
LIFE = timedelta(hours=12)
"""For how long somebody stays signed in."""


@dataclass(frozen=True)
class Opened:
    """A browser that is signed in, as its request shows it."""

    kept: KeptLogin
    form_secret: str
    """Stands in every form of the page; a page elsewhere can't know it."""


@dataclass(frozen=True)
class Logins:
    """Raises StorageError."""

    database: Database
    clock: Clock

    async def invite(self, person: Person, found_by: str) -> str:
        """The secret of a new link, which signs this person in, once."""
        secret, now = secrets.token_urlsafe(32), self.clock.now()
        register_secret(secret)
        link = KeptLogin(
            _hash(secret),
            person.id,
            person.name,
            str(person.role),
            found_by,
            now + LINK_LIFE,
        )
        await self.database.write(store.add_link(link, now))
        return secret

    async def invited(self, secret: str) -> KeptLogin | None:
        """The link with this secret, while it is good. This doesn't use it up."""
        return await store.find_link(self.database, _hash(secret), self.clock.now())

    async def begin(self, secret: str, before: str) -> str | None:
        """Use up a link: the cookie of a new session, None if the link is over.

        `before`: the cookie that the browser had, whose session ends.
        """
        link = await self.invited(secret)
        if link is None:
            return None
        cookie = secrets.token_urlsafe(32)
        expires = self.clock.now() + LIFE
        session = replace(link, hash=_hash(cookie), expires_at=expires)
        try:
            await self.database.write(store.begin_session(link, session, _hash(before)))
        except UnitRejected:
            return None
        return cookie

    async def find(self, cookie: str) -> Opened | None:
        if not cookie:
            return None
        kept = await store.find_session(self.database, _hash(cookie), self.clock.now())
        return None if kept is None else Opened(kept, _form_secret(cookie))

    async def end(self, session: KeptLogin) -> None:
        await self.database.write(store.end_session(session.hash))


def is_of(session: Opened, given: str) -> bool:
    """Whether a posted form came from a page of this session."""
    return hmac.compare_digest(session.form_secret.encode(), given.encode("utf-8", "replace"))


def _hash(secret: str) -> str:
    """Secrets have 256 random bits, so a plain hash of them can't be guessed."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _form_secret(cookie: str) -> str:
    """Made from the cookie, which no script of a page can read."""
    return hmac.new(cookie.encode("utf-8", "replace"), b"form", hashlib.sha256).hexdigest()
