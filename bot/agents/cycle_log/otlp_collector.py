"""The only user of the OpenTelemetry packages: sends spans over OTLP/HTTP."""

from collections.abc import Sequence
from datetime import datetime

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from bot import __version__
from bot.agents.cycle_log.spans import TraceSpan

_TIMEOUT_S = 5.0
_SAMPLED = TraceFlags(TraceFlags.SAMPLED)


class OtlpCollector:
    """Implements `SendsSpans`.

    `endpoint` is the collector's base URL, `authorization` the header of that name.
    """

    def __init__(self, endpoint: str, instance: str, authorization: str = "") -> None:
        self._exporter = OTLPSpanExporter(
            endpoint=f"{endpoint.rstrip('/')}/v1/traces",
            headers={"Authorization": authorization} if authorization else {},
            timeout=_TIMEOUT_S,
        )
        self._resource = Resource(
            {
                "service.name": "bellhop",
                "service.version": __version__,
                "service.instance.id": instance,
            }
        )
        self._scope = InstrumentationScope("bellhop", __version__)

    def send(self, spans: Sequence[TraceSpan]) -> bool:
        sent = self._exporter.export([self._readable(span) for span in spans])
        return sent is SpanExportResult.SUCCESS

    def close(self) -> None:
        self._exporter.shutdown()

    def _readable(self, span: TraceSpan) -> ReadableSpan:
        error = {"error.type": span.error} if span.error else {}
        return ReadableSpan(
            name=span.name,
            context=_context(span.trace, span.id),
            parent=None if span.parent is None else _context(span.trace, span.parent),
            resource=self._resource,
            attributes={**span.attributes, **error},
            kind=SpanKind.CLIENT if span.client else SpanKind.INTERNAL,
            status=Status(StatusCode.ERROR if span.error else StatusCode.UNSET),
            start_time=_nanoseconds(span.start),
            end_time=_nanoseconds(span.end),
            instrumentation_scope=self._scope,
        )


def _context(trace: int, span: int) -> SpanContext:
    return SpanContext(trace, span, is_remote=False, trace_flags=_SAMPLED)


def _nanoseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000) * 1000
