"""What a result says about how its file reaches the person."""

import pytest

from bot.files.paths import way_to


@pytest.mark.parametrize(
    ("path", "platform", "sends", "said"),
    [
        ("/documents/a/b.md", "slack", True, "`/files a/b.md` gives it to the person; send"),
        ("/documents/a.md", "discord", False, "`/files a.md` gives it to the person."),
        ("/documents/a.md", "terminal", False, "`/files a.md` saves it on the person's disk."),
        ("/preferences/global.md", "slack", False, "`/files /preferences/global.md` gives"),
        ("/preferences/permissions.md", "slack", False, ""),
        ("/custom-skills/shared/tidy.md", "slack", True, "Send with `file` hands it over."),
        ("/meetings/2026-11-24/review/notes.md", "slack", True, "Send with `file` hands it over."),
        ("/documents2/a.md", "slack", False, ""),
    ],
)
def test_a_command_is_named_where_it_works(path: str, platform: str, sends: bool, said: str):
    way = way_to(path, platform, sends=sends)
    assert way.startswith(said)
    assert bool(way) == bool(said)
    assert ("send with" in way.lower()) == sends
