"""What the vendors' servers share: one port, recorded requests, planned faults."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from aiohttp import web


@dataclass(frozen=True)
class VendorCall:
    """One request as it arrived."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    """Headers by lower-case name."""
    body: bytes


@dataclass
class Vendor:
    """A vendor: `faults` answer the next calls of any kind, each a status with optional headers."""

    key: str = "key-of-the-tests"
    asked: list[VendorCall] = field(default_factory=list[VendorCall])
    faults: list[int | tuple[int, dict[str, str]]] = field(
        default_factory=list[int | tuple[int, dict[str, str]]]
    )
    dropped: int = 0
    """How many of the next calls are executed but get no answer."""
    held: int = 0
    """How many of the next calls are executed while their answer never comes."""
    url: str = ""

    async def answer(self, call: VendorCall) -> web.Response:
        """Return this vendor's answer; each vendor overrides this with its own endpoints."""
        return web.json_response(
            {"error": f"no such endpoint: {call.method} {call.path}"}, status=404
        )

    async def serve(self, request: web.Request) -> web.StreamResponse:
        call = VendorCall(
            request.method,
            request.path,
            dict(request.query),
            {name.lower(): value for name, value in request.headers.items()},
            await request.read(),
        )
        self.asked.append(call)
        if self.faults:
            fault = self.faults.pop(0)
            status, headers = fault if isinstance(fault, tuple) else (fault, {})
            return web.json_response(
                {"error": "a fault of the tests"}, status=status, headers=headers
            )
        answer = await self.answer(call)
        if self.held:
            self.held -= 1
            await asyncio.Event().wait()
        if self.dropped and request.transport is not None:
            self.dropped -= 1
            request.transport.abort()
        return answer


VendorT = TypeVar("VendorT", bound=Vendor)


@asynccontextmanager
async def serving(vendor: VendorT) -> AsyncGenerator[VendorT]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    application = web.Application(client_max_size=50_000_000)
    application.router.add_route("*", "/{path:.*}", vendor.serve)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        vendor.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield vendor
    finally:
        await runner.cleanup()
