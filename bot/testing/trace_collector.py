"""A loopback collector of traces: takes OTLP over HTTP as a real one does, and records it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue

from bot.testing.web_site import Asked, WebSite, answer, web_site


@dataclass(frozen=True)
class Received:
    """One span as it arrived; ids in hexadecimal, times in nanoseconds."""

    trace: str
    id: str
    parent: str
    name: str
    start: int
    end: int
    failed: bool
    attributes: Mapping[str, str | int | list[str]]


@dataclass
class TraceCollector:
    """A collector of traces; with `there` off it refuses everything, as during an outage."""

    site: WebSite
    there: bool = True
    spans: list[Received] = field(default_factory=list[Received])
    services: list[str] = field(default_factory=list[str])

    @property
    def url(self) -> str:
        return self.site.url

    def take(self, asked: Asked) -> bytes:
        if not self.there:
            return answer(status="400 Bad Request")
        if asked.path != "/v1/traces":
            return answer(status="404 Not Found")
        request = ExportTraceServiceRequest.FromString(asked.body)
        for resource in request.resource_spans:
            self.services += [
                one.value.string_value
                for one in resource.resource.attributes
                if one.key == "service.name"
            ]
            self.spans += [
                Received(
                    span.trace_id.hex(),
                    span.span_id.hex(),
                    span.parent_span_id.hex(),
                    span.name,
                    span.start_time_unix_nano,
                    span.end_time_unix_nano,
                    span.status.code == 2,
                    {one.key: _value(one.value) for one in span.attributes},
                )
                for scope in resource.scope_spans
                for span in scope.spans
            ]
        return answer(content_type="application/x-protobuf")


@asynccontextmanager
async def trace_collector() -> AsyncGenerator[TraceCollector]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    async with web_site(lambda asked: collector.take(asked)) as site:  # noqa: PLW0108 - made below
        collector = TraceCollector(site)
        yield collector


def _value(value: AnyValue) -> str | int | list[str]:
    match value.WhichOneof("value"):
        case "int_value":
            return value.int_value
        case "array_value":
            return [one.string_value for one in value.array_value.values]
        case _:
            return value.string_value
