"""What `doctor --live` says of one platform of a running Bellhop."""

from bot.cli.doctor import _platform


def test_objects_that_could_not_be_read_are_counted():
    item = {
        "state": "serving",
        "last_frame_age_s": 3.0,
        "last_probe_age_s": None,
        "restarts": 0,
        "unreadable": 4,
    }
    found = _platform("discord", item)
    told = "serving, last heard 3 s ago, could not read 4 of its objects; the log says which"
    assert (found.state, found.text) == ("ok", told)
    assert "could not read" not in _platform("discord", {**item, "unreadable": 0}).text
