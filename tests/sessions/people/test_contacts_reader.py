"""An edit of contacts.yaml is read like the whole file, without parsing the rest."""

import tracemalloc
from collections.abc import Callable

from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.chat.platforms import KNOWN
from bot.errors import SettingsError
from bot.sessions.people.contacts_file import ContactList, parse_contacts
from bot.sessions.people.contacts_reader import ContactsReader
from bot.testing.thoroughness import examples

_PIECES = (
    "- {id: a, name: A}\n",
    "- id: b\n  name: B\n  ids:\n    discord:\n    - '7'\n",
    "- id: c\n  name: C\n  ids: {discord: [7]}\n",
    "- name: No Id\n",
    "- {id: d, name: D, role: Freind}\n",
    "  - {id: e, name: E}\n",
    "- id: f\n  name: |+\n    F\n\n",
    "- id: g\n  name: 'G\n- {id: h, name: H'\n  role: Guest\n",
    "- id: i\n  name: &x I\n",
    "- id: j\n  name: *x\n",
    "- id: k\n  email: [\n",
    "-\n  id: l\n  name: L\n",
    "-\tid: m\n",
    "# about the next one\n",
    "\n",
    "---\n",
    "...\n",
    "id: n\n",
    "- id: o\r  name: O\n",
    "- id: p\n  name: P",
)
"""Entries, and texts that look like them and are none, or move what follows."""


def _read(text: str, reader: ContactsReader | None) -> ContactList | str:
    try:
        return reader.read(text, "c.yaml") if reader else parse_contacts(text, "c.yaml", KNOWN)
    except SettingsError as error:
        return str(error)


@settings(max_examples=examples(150))
@example([["- {id: a, name: A}\n", "- {id: d, name: D, role: Freind}\n"],
          ["- {id: d, name: D, role: Freind}\n", "- {id: a, name: A}\n"]], 1)  # fmt: skip
@example([["- {id: a, name: A}\n", "...\n"], ["- {id: a, name: A}\n", "...\n", "- id: b\n"]], 1)
@given(
    st.lists(st.lists(st.sampled_from(_PIECES), max_size=5), min_size=2, max_size=4),
    st.integers(1, 5),
)
def test_each_version_is_read_as_the_whole_file_would_be(versions: list[list[str]], together: int):
    reader = ContactsReader(KNOWN, together)
    for version in versions:
        text = "".join(version)
        assert _read(text, reader) == _read(text, None)


def test_an_edit_among_many_people_parses_no_more_than_what_changed():
    people = [f"- id: p{n}\n  name: P {n}\n  ids: {{discord: ['{n}']}}\n" for n in range(200)]
    reader = ContactsReader(KNOWN)
    reader.read("# ours\n" + "".join(people), "c.yaml")
    people[7] = "- id: p7\n  name: Somebody Else\n  role: Freind\n"
    people.insert(0, "- {id: new, name: New}\n")
    found = reader.read("# ours\n" + "".join(people), "c.yaml")
    assert reader.parsed_whole == 1
    assert found == parse_contacts("# ours\n" + "".join(people), "c.yaml", KNOWN)
    assert (found.contacts[0].id, found.contacts[8].name) == ("new", "Somebody Else")
    assert found.problems[0].startswith("c.yaml, line 26: unknown role")


def test_a_long_file_is_read_in_parts_like_in_one_piece():
    people = [f"- id: p{n}\n  name: P {n}\n  role: Guest\n" for n in range(250)]
    people[120] = "- id: p120\n  name: P 120\n  role: Freind\n"
    people[205] = "- name: No Id\n  ids: {discord: '5'}\n"
    text = "".join(people)
    assert ContactsReader(KNOWN).read(text, "c.yaml") == parse_contacts(text, "c.yaml", KNOWN)


def test_a_long_file_never_stands_in_memory_as_a_whole_tree():
    text = "".join(f"- id: p{n}\n  name: P {n}\n  role: Guest\n" for n in range(1000))

    def peak(read: Callable[[], ContactList]) -> int:
        tracemalloc.start()
        try:
            read()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    in_parts = peak(lambda: ContactsReader(KNOWN).read(text, "c.yaml"))
    assert in_parts < peak(lambda: parse_contacts(text, "c.yaml", KNOWN)) / 2
