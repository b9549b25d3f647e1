"""Asks a service whether it takes its key, for `bellhop doctor --live`."""

from collections.abc import Awaitable, Callable
from typing import Any

from bot.domain.checks import Check
from bot.log import redact
from bot.web.service import Call, KeyedService, ServiceError
from bot.web.trouble import WebError


async def key_check(
    service: KeyedService,
    ask: Call | Callable[[KeyedService], Awaitable[Any]],
    *,
    limited: str = "",
    limited_to: str = "",
) -> Check:
    """One line about a key. `ask` is the cheapest request of the service.

    `limited`: a word of the service's error about a key that is good for `limited_to` alone.
    """
    check = f"service {service.name}"
    try:
        await (service.call(ask) if isinstance(ask, Call) else ask(service))
    except ServiceError as error:
        if limited and limited in error.said.casefold():
            return Check(check, "ok", f"takes its key, for {limited_to} alone")
        said = f" ({error.said})" if error.said else ""
        return Check(check, "error", redact(f"{service.key_name}: {error}{said}"))
    except WebError as error:
        return Check(check, "error", redact(str(error)))
    return Check(check, "ok", "takes its key")
