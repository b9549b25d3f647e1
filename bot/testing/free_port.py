"""A port for a server that is told where to listen before it starts."""

import random
import socket

from bot.testing.waiting import until

_HOST = "127.0.0.1"
_NEVER_GIVEN_OUT = range(20_000, 32_768)
"""Below what the kernel gives to whoever asks for any port, as most servers of tests do."""


def free_port() -> int:
    """Return a port that nothing listened on a moment ago."""
    while True:
        port = random.choice(_NEVER_GIVEN_OUT)  # noqa: S311 - nothing secret
        try:
            with socket.socket() as free:
                free.bind((_HOST, port))
        except OSError:
            continue
        return port


async def until_listening(port: int) -> None:
    """Wait until a server takes connections there. Raises TimeoutError."""

    def listens() -> bool:
        with socket.socket() as caller:
            return caller.connect_ex((_HOST, port)) == 0

    await until(listens)
