"""A relay between Bellhop and a PostgreSQL server that loses data like a bad network."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from pathlib import Path

_SOCKET = ".s.PGSQL.5432"


class Lost(StrEnum):
    """Which part of a COMMIT is lost together with the connection."""

    REQUEST = "request"
    ANSWER = "answer"


class PostgresRelay:
    """Forwards both directions; each item of `losses` costs one COMMIT and its connection."""

    def __init__(self, server: Path) -> None:
        self.losses: list[Lost] = []
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._server / _SOCKET)
        answers = asyncio.create_task(_copy(far_reader, writer))
        self._tasks.add(answers)
        answers.add_done_callback(self._tasks.discard)
        try:
            while said := await reader.read(65536):
                if self.losses and b"COMMIT" in said:
                    if self.losses.pop(0) is Lost.ANSWER:
                        answers.cancel()
                        await asyncio.wait([answers])
                        far_writer.write(said)
                        await far_reader.read(65536)
                    return
                far_writer.write(said)
                await far_writer.drain()
        finally:
            for side in (writer, far_writer):
                side.close()
                with suppress(OSError):
                    await side.wait_closed()

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while said := await reader.read(65536):
            writer.write(said)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def postgres_relay(server: Path, folder: Path) -> AsyncGenerator[PostgresRelay]:
    """Run a relay whose socket is in `folder`, to the server whose socket is in `server`."""
    relay = PostgresRelay(server)
    listening = await asyncio.start_unix_server(relay.serve, folder / _SOCKET)
    try:
        yield relay
    finally:
        listening.close()
        await relay.end()
