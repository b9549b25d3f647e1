"""Seals texts with Fernet of the `cryptography` package: AES-128-CBC and HMAC-SHA256.

Importing it loads OpenSSL, and most homes have nothing to seal.
"""

from cryptography.fernet import Fernet, InvalidToken, MultiFernet


def new_key() -> str:
    """A fresh key, as it stands in .env."""
    return Fernet.generate_key().decode()


class TextSeal:
    """Seals texts with the first of some keys of `new_key`, and opens them with each.

    Whoever has no key neither reads nor makes them.
    """

    def __init__(self, *keys: str) -> None:
        """Raises ValueError for what is no key."""
        self._fernet = MultiFernet([Fernet(key.encode()) for key in keys])

    def seal(self, text: str) -> str:
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str, oldest_s: int | None = None) -> str | None:
        """The text; None for one that was sealed with no such key, or earlier than `oldest_s`."""
        try:
            return self._fernet.decrypt(sealed.encode(), ttl=oldest_s).decode()
        except InvalidToken:
            return None

    def resealed(self, sealed: str) -> str | None:
        """The same, sealed with the first key; None when no key opens it."""
        try:
            return self._fernet.rotate(sealed.encode()).decode()
        except InvalidToken:
            return None
