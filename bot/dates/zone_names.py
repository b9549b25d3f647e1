"""Names of time zones, as people write them beside the names of the IANA."""

import difflib
from functools import lru_cache
from zoneinfo import available_timezones

MOST = 3
"""More names than that help nobody to choose."""
_ALIKE = 0.75
"""Of 1: `Europe/Pargue` is like Europe/Prague, and `nowhere` like no zone."""


@lru_cache(maxsize=1)
def zones_by_name() -> dict[str, str]:
    """Blocking: zone names by their folded form; reads the zone database once per process."""
    return {name.casefold(): name for name in sorted(available_timezones())}


def folded_zone(name: str) -> str:
    """A name as `zones_by_name` has it: `New York` is new_york."""
    return "_".join(name.casefold().split())


def zones_near(name: str) -> tuple[str, ...]:
    """Blocking: at most `MOST` zones that somebody may mean, the likeliest first.

    The same letters come before the name of its city, and that before a slip of the pen.
    """
    wanted, zones = folded_zone(name), zones_by_name()
    if wanted in zones:
        return (zones[wanted],)
    cities = {key.rpartition("/")[2]: zone for key, zone in zones.items() if "/" in key}
    same = [zone for key, zone in zones.items() if key.endswith(f"/{wanted}") and wanted]
    if not same:
        known = {**cities, **zones}
        close = difflib.get_close_matches(wanted, known, MOST, _ALIKE)
        same = [known[key] for key in close]
    return tuple(dict.fromkeys(same))[:MOST]


def no_zone(name: str) -> str:
    """Blocking: that this is no zone, and what to write instead."""
    near = " or ".join(zones_near(name)) or "one like Europe/Berlin"
    return f"{name!r} is no time zone; write {near}"
