"""Zones that somebody may mean by what they typed."""

import pytest

from bot.dates.zone_names import no_zone, zones_near


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("europe/prague", "Europe/Prague"),
        ("new york", "America/New_York"),
        ("Europe/Pargue", "Europe/Prague"),
        ("Pragu", "Europe/Prague"),
        ("Berlín", "Europe/Berlin"),
    ],
)
def test_the_likeliest_zone_comes_first(said: str, meant: str):
    assert zones_near(said)[0] == meant
    assert no_zone(said).startswith(f"{said!r} is no time zone; write {meant}")


@pytest.mark.parametrize("said", ["nowhere", "Mars/Base", "", "../../etc/passwd"])
def test_what_is_like_no_zone_gets_an_example(said: str):
    assert zones_near(said) == ()
    assert no_zone(said).endswith("write one like Europe/Berlin")
