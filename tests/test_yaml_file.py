"""libyaml reads files with the same values, lines and error messages as the parser in Python."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import yaml_file
from bot.errors import SettingsError
from bot.yaml_file import parse_yaml, read_text, write_yaml
from tests.thoroughness import examples

ENTRY = (
    "- name: Ünï {0} # note\n  id: p{0}\n  ids: {{discord: ['{0}'], slack: [T1:U{0}]}}\n  at: "
    "12:30\n  on: off\n"
)
LONG = "".join(ENTRY.format(number) for number in range(400))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=12)
    | st.sampled_from(["12:30", "off", "a: b", "- x"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def in_python(text: str, patch: pytest.MonkeyPatch) -> object:
    with patch.context() as slow:
        slow.setattr(yaml_file, "_FAST", None)
        return outcome(text)


def outcome(text: str) -> object:
    try:
        return parse_yaml(text, "contacts.yaml")
    except SettingsError as error:
        return str(error)


def test_a_long_file_is_read_the_same_either_way(monkeypatch: pytest.MonkeyPatch):
    found = outcome(LONG)
    assert found == in_python(LONG, monkeypatch)
    assert isinstance(found, yaml_file.YamlDocument)
    assert found.value[399]["on"] == "off"
    assert found.line((399, "at")) == 399 * 5 + 4


@pytest.mark.parametrize(
    "mistake",
    [
        "- [",
        "- a: 1\n  a: 2\n",
        "- a: *known\n",
        "\t- x\n",
        "- \x07\n",
        "- !!python/none x\n",
        "--- 1\n--- 2\n",
    ],
)
def test_a_mistake_in_a_long_file_is_told_in_the_same_words(
    mistake: str, monkeypatch: pytest.MonkeyPatch
):
    found = outcome(LONG + mistake)
    assert isinstance(found, str)
    assert found == in_python(LONG + mistake, monkeypatch)


@pytest.mark.parametrize(
    "text",
    [
        "a:\t1\n",
        "a: Mast\terAdmin\n",
        "a: !\n",
        "a: [what?]\n",
        "a: [\ufeffx]\n",
        "%YAML 1.1\n---\na: 1\n",
        "a: |#\n  b\n",
        "a: >-#\n  b\n",
    ],
)
def test_yaml_that_libyaml_reads_differently_is_read_in_python(
    text: str, monkeypatch: pytest.MonkeyPatch
):
    assert outcome(text) == in_python(text, monkeypatch)


@settings(max_examples=examples(60))
@given(VALUES)
def test_both_parsers_read_yaml_the_same(value: object):
    text = write_yaml([value])
    with pytest.MonkeyPatch.context() as patch:
        assert outcome(text) == in_python(text, patch)


@pytest.mark.parametrize("text", ["[" * 5_000, "{a: " * 20_000, "- " * 50_000 + "x"])
def test_what_nests_beyond_measure_is_refused_and_not_a_crash(text: str):
    with pytest.raises(SettingsError, match="nested too deeply"):
        parse_yaml(text, "bomb.yaml")


def test_a_missing_file_is_empty_and_a_link_to_nothing_is_refused(tmp_path: Path):
    """Rules and people would be gone without a word where a mounted folder is missing."""
    path = tmp_path / "policy.yaml"
    assert read_text(path) == ""
    path.symlink_to("/mnt/config/policy.yaml")
    with pytest.raises(
        SettingsError, match=r"links to /mnt/config/policy\.yaml, which is not there"
    ):
        read_text(path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: &x 1\nb: *x\n", "line 2: is not valid YAML .the alias .x is not allowed"),
        ("a: 1\n*x : 1\n", "line 2: is not valid YAML .a key must be plain text"),
        ("a: 1\n[b]: 1\n", "line 2: is not valid YAML .a key must be plain text"),
        ("a: 1\nb: !mine {c: 1}\n", "line 2: is not valid YAML .the tag !mine is not known"),
        ("a: 1\nb: !mine c\n", "line 2: is not valid YAML .could not determine a constructor"),
        ("a: 1\nrules: !!seq all\n", "line 2: is not valid YAML .expected a sequence node"),
        ("a: 1\nb: {c: 1, c: 2}\n", r"line 2: b\.c is there twice .first on line 2"),
    ],
)
def test_yaml_beyond_plain_values_is_refused_with_its_line(text: str, problem: str):
    with pytest.raises(SettingsError, match=problem):
        parse_yaml(text, "bellhop.yaml")


def test_a_key_of_two_angle_brackets_is_a_key_like_others():
    assert parse_yaml("<<: {a: 1}\nb: 2\n", "bellhop.yaml").value == {"<<": {"a": 1}, "b": 2}
