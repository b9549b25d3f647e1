"""Rate limits as Discord counts them: calls per route and channel in a number of seconds."""

import math
from dataclasses import dataclass

from bot.plugin.clock import Clock


@dataclass(frozen=True)
class BucketRule:
    limit: int = 5
    per_s: float = 5.0


@dataclass
class _Bucket:
    used: int
    reset_at: float


class Buckets:
    """Counts calls; without rules every call passes."""

    def __init__(self, clock: Clock, rules: dict[str, BucketRule]) -> None:
        self._clock = clock
        self._rules = rules
        self._buckets: dict[tuple[str, str], _Bucket] = {}

    def take(self, route: str, major: str) -> tuple[dict[str, str], float | None]:
        """Count a call; return headers for the answer, and the wait if the bucket is empty."""
        rule = self._rules.get(route)
        if rule is None:
            return {}, None
        now = self._clock.monotonic()
        bucket = self._buckets.get((route, major))
        if bucket is None or now >= bucket.reset_at:
            bucket = self._buckets[route, major] = _Bucket(0, now + rule.per_s)
        after = max(bucket.reset_at - now, 0.0)
        over = bucket.used >= rule.limit
        bucket.used += 0 if over else 1
        headers = {
            "X-RateLimit-Bucket": f"bucket-{route.replace(' ', '').replace('/', '-')}",
            "X-RateLimit-Limit": str(rule.limit),
            "X-RateLimit-Remaining": str(rule.limit - bucket.used),
            "X-RateLimit-Reset": f"{self._clock.now().timestamp() + after:.3f}",
            "X-RateLimit-Reset-After": f"{math.ceil(after * 1000) / 1000:.3f}",
        }
        return headers, after if over else None
