"""GET /metrics: the figures of the house in the OpenMetrics format, for Prometheus and others.

No label names a person, a conversation or anything that somebody wrote.
"""

import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.openmetrics import exposition
from prometheus_client.registry import Collector, CollectorRegistry

from bot.domain.health import Health, Liveness, PlatformState
from bot.endpoints.figures import BOUNDS_S, Figures, HouseFigures, Turns
from bot.endpoints.http import Text
from bot.tools.budget.settings import NANO
from bot.tools.budget.usage_store import DayOfUse

METRICS_PATH = "/metrics"
_KINDS = ("input", "cache_read", "cache_write", "output")


class Metrics:
    """Answers who has the key."""

    def __init__(self, figures: HouseFigures, key: str) -> None:
        self._figures, self._key = figures, key

    async def answer(self, headers: Mapping[str, str]) -> Text:
        given = headers.get("Authorization", "").encode()
        if not hmac.compare_digest(given, f"Bearer {self._key}".encode()):
            return Text(401, "text/plain; charset=utf-8", "a key is needed\n")
        return Text(200, exposition.CONTENT_TYPE_LATEST, rendered(await self._figures.look()))


class _Given(Collector):
    """Metrics that were made before; the library asks collectors only."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = list(metrics)

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def rendered(figures: Figures) -> str:
    """What a monitor reads. Without an answer of the database, counters of the house are absent."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Given(_metrics(figures)))
    write: Callable[[CollectorRegistry], bytes] = vars(exposition)["generate_latest"]  # untyped
    return write(registry).decode()


def _metrics(figures: Figures) -> Iterator[Metric]:
    yield from _of_process(figures.health)
    yield from _of_platforms(figures.health.platforms)
    if figures.use is not None:
        yield from _of_turns(figures)
        yield from _of_use(figures.use)
        yield _errors(figures, figures.use)


def _of_process(health: Health) -> Iterator[Metric]:
    yield InfoMetricFamily("bellhop_build", "What runs", {"version": health.version})
    yield _gauge("bellhop_uptime_seconds", "Since this process started", health.uptime_s)
    yield _gauge("bellhop_database_up", "1 while the database answers", health.database_ok)
    yield _gauge("bellhop_turns_running", "Requests that this process works on", health.running)


def _of_platforms(platforms: Iterable[Liveness]) -> Iterator[Metric]:
    by_name: dict[str, list[Liveness]] = {}
    for one in platforms:  # a platform may have several lines
        by_name.setdefault(one.platform, []).append(one)
    up = _gauge("bellhop_platform_up", "1 while a platform is connected", labels=["platform"])
    age = _gauge(
        "bellhop_platform_silence_seconds",
        "Since a platform last sent anything",
        labels=["platform"],
    )
    restarts = CounterMetricFamily(
        "bellhop_platform_restarts", "Clients that were started again", labels=["platform"]
    )
    unreadable = CounterMetricFamily(
        "bellhop_platform_unreadable", "Objects skipped as unreadable", labels=["platform"]
    )
    for name, lines in by_name.items():
        up.add_metric([name], min(one.state is PlatformState.SERVING for one in lines))
        ages = [one.last_frame_age_s for one in lines if one.last_frame_age_s is not None]
        if ages:
            age.add_metric([name], max(ages))
        restarts.add_metric([name], sum(one.restarts for one in lines))
        unreadable.add_metric([name], sum(one.unreadable for one in lines))
    yield from (up, age, restarts, unreadable)


def _of_turns(figures: Figures) -> Iterator[Metric]:
    turns, health = figures.turns, figures.health
    settled = CounterMetricFamily("bellhop_turns", "Requests that are over", labels=["outcome"])
    settled.add_metric(["done"], turns.done)
    settled.add_metric(["failed"], turns.failed)
    yield settled
    yield HistogramMetricFamily(
        "bellhop_answer_seconds",
        "From a request to its end; without those that asked a person something",
        buckets=list(_buckets(turns)),
        sum_value=turns.seconds,
    )
    yield _gauge("bellhop_turns_waiting", "Requests that wait for their turn", health.waiting)
    yield _gauge(
        "bellhop_oldest_waiting_seconds",
        "How long the oldest of them waits",
        figures.oldest_waiting_s,
    )
    yield _gauge(
        "bellhop_outbox_pending",
        "Messages that a platform has not taken yet",
        health.outbox_pending,
    )


def _buckets(turns: Turns) -> Iterator[tuple[str, float]]:
    counted = 0
    ends = [*(str(end) for end in BOUNDS_S), "+Inf"]
    for end, count in zip(ends, turns.classes or [0] * len(ends), strict=True):
        counted += count
        yield end, counted


def _of_use(use: DayOfUse) -> Iterator[Metric]:
    calls = CounterMetricFamily("bellhop_model_calls", "Calls of models", labels=["model"])
    unpriced = CounterMetricFamily(
        "bellhop_model_unpriced_calls", "Calls among them whose price is unknown", labels=["model"]
    )
    tokens = CounterMetricFamily(
        "bellhop_model_tokens", "Tokens of models by kind", labels=["model", "kind"]
    )
    cost = CounterMetricFamily(
        "bellhop_model_cost_dollars", "What models cost, in US dollars", labels=["model"]
    )
    for row in use.models:
        name = str(row["model"])
        calls.add_metric([name], int(row["calls"]))
        unpriced.add_metric([name], int(row["unpriced"]))
        cost.add_metric([name], int(row["nano_usd"]) / NANO)
        for kind in _KINDS:
            tokens.add_metric([name, kind], int(row[f"{kind}_tokens"]))
    yield from (calls, unpriced, tokens, cost)
    tools = CounterMetricFamily("bellhop_tool_calls", "Calls of tools")
    tools.add_metric([], use.tool_calls)
    yield tools


def _errors(figures: Figures, use: DayOfUse) -> Metric:
    errors = CounterMetricFamily("bellhop_errors", "What went wrong, by kind", labels=["kind"])
    errors.add_metric(["turn"], figures.turns.failed)
    errors.add_metric(["tool"], use.failed_tool_calls)
    errors.add_metric(["model"], figures.failed_model_calls)
    errors.add_metric(["platform"], sum(one.restarts for one in figures.health.platforms))
    return errors


def _gauge(
    name: str, what: str, value: float | None = None, labels: list[str] | None = None
) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value, labels=labels)
