"""Exports runs as traces if the settings name a collector."""

from collections.abc import Sequence
from importlib.util import find_spec

from bot.agents.cycle_log.spans import SendsSpans, SpanExport
from bot.agents.settings import TraceSettings
from bot.assembly.ground import Ground
from bot.errors import SettingsError

AUTHORIZATION = "TRACES_AUTHORIZATION"
"""The secret that is sent as the header `Authorization`, where a collector wants one."""
_PACKAGE = "opentelemetry.exporter.otlp.proto.http"


def trace_export(ground: Ground) -> Sequence[SpanExport]:
    """One export, or none without an endpoint.

    Raises SettingsError where the packages for it are missing.
    """
    wanted = ground.settings.get(TraceSettings)
    if not wanted.endpoint:
        return ()
    if not _is_installed():
        where = ground.settings.where(("traces", "endpoint"))
        raise SettingsError(
            f"{where}: traces.endpoint: the packages that send traces are missing; install "
            "bellhop-assistant[traces], or remove the line"
        )

    def collector() -> SendsSpans:
        from bot.agents.cycle_log.otlp_collector import OtlpCollector  # noqa: PLC0415 - only where traces are sent

        return OtlpCollector(
            wanted.endpoint, ground.settings.home.name, ground.settings.secret(AUTHORIZATION) or ""
        )

    return (SpanExport(ground.cycle_log, ground.clock, collector, wanted.contents),)


def _is_installed() -> bool:
    try:
        return find_spec(_PACKAGE) is not None
    except ModuleNotFoundError:  # one of the packages that it would lie in
        return False
