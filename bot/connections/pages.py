"""Ways in which services name the next page of a long answer."""

from dataclasses import replace
from typing import Any

from bot.connections.client import Following, ServiceAnswer, ServiceRequest
from bot.domain.json_types import as_object


def _at(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = as_object(value).get(part)
    return value


def by_token(parameter: str, place: str) -> Following:
    """Pages by a parameter whose value is at `place` (dots lead inwards) of the answer.

    It goes into the body of a POST that has one, else into the query.
    """

    def following(request: ServiceRequest, answer: ServiceAnswer) -> ServiceRequest | None:
        token = _at(answer.value, place)
        if not isinstance(token, str) or not token:
            return None
        if request.method == "POST" and request.body is not None:
            return replace(request, body={**request.body, parameter: token})
        return replace(request, query={**request.query, parameter: token})

    return following


def by_address(place: str) -> Following:
    """Pages by an address in the answer (Microsoft: `@odata.nextLink`, including the dot)."""

    def following(request: ServiceRequest, answer: ServiceAnswer) -> ServiceRequest | None:
        url = answer[place]
        return replace(request, path=url, query={}) if isinstance(url, str) and url else None

    return following


def by_link(request: ServiceRequest, answer: ServiceAnswer) -> ServiceRequest | None:
    """The header `Link` names the next page (GitHub)."""
    for part in answer.headers.get("link", "").split(","):
        url, _, relation = part.partition(";")
        if 'rel="next"' in relation:
            return replace(request, path=url.strip().strip("<>"), query={})
    return None
