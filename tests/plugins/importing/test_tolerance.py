"""Whatever a file holds: no crash, and a report that names file and line."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.plugins.importing.bundle import Bundle
from bot.plugins.importing.formats import Format
from bot.plugins.importing.front_matter import read_front_matter
from bot.plugins.importing.reading import found_in, read_bundle
from bot.skills.skill_file import parse_skill_file
from bot.testing.fake_clock import FakeClock
from bot.tools.definitions.definition import parse_tool_file
from bot.workshop.review.audit import AuditedText, audit_texts
from bot.workshop.review.findings import ImportOptions, ImportRefused, ImportReport, shown
from bot.workshop.review.importer import stage
from bot.workshop.review.json_text import BadJson, read_json, read_json5
from bot.workshop.review.names import TakenNames, skeleton, slug
from bot.workshop.review.rendering import one_line
from bot.workshop.review.staging import Staging
from tests.thoroughness import examples

EVERYTHING = settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

KEYS = st.sampled_from(
    [
        "name",
        "description",
        "metadata",
        "homepage",
        "user-invocable",
        "disable-model-invocation",
        "command-dispatch",
        "platforms",
        "version",
        "agents",
        "roles",
        "allowed-tools",
        "command",
        ("required_environment_variables"),
        "x",
        "",
    ]
)
SCALARS = st.one_of(
    st.text(max_size=40),
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.sampled_from(
        [
            "&a [*a]",
            "*a",
            "!!python/name:os.system",
            "{a: [",
            "'",
            '"',
            "|",
            ">",
            "- a",
            "%YAML 1.1",
            "---",
            "{'openclaw': {requires: {bins: ['x',],},},} // c",
            "1e999",
            "0x1f",
            "~",
            "\u2028",
            "\ufeff",
        ]
    ),
)


def _written(form: str, *parts: Any) -> str:
    return form.format(*parts)


LINES = st.one_of(
    st.builds(_written, st.just("{}: {}"), KEYS, SCALARS),
    st.builds(_written, st.just("  {}"), SCALARS),
    st.builds(_written, st.just("\t- {}"), SCALARS),
    st.text(max_size=60),
)
FRONTS = st.lists(LINES, max_size=12)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
STARTS = st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\n\n", b"\xff"])


@st.composite
def skill_files(draw: st.DrawFn) -> bytes:
    fences = draw(
        st.sampled_from(
            [("---", "---"), ("---", None), (None, None), ("--- ", "..."), ("----", "---")]
        )
    )
    lines = [fences[0]] if fences[0] else []
    lines += draw(FRONTS)
    lines += [fences[1]] if fences[1] else []
    lines += draw(st.lists(st.text(max_size=60), max_size=5))
    text = draw(ENDS).join(lines)
    return draw(STARTS) + text.encode("utf-8", "surrogatepass")


JSONS = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                [
                    "name",
                    "description",
                    "instructions",
                    "content",
                    "prompt",
                    "tools",
                    "functions",
                    "parameters",
                    "type",
                    "functionDeclarations",
                    "properties",
                    "nullable",
                    "enum",
                    "items",
                    "skills",
                    "parametersJsonSchema",
                ]
            )
            | st.text(max_size=8),
            inner,
            max_size=6,
        ),
    ),
    max_leaves=25,
)


def staged(home: Path, files: dict[str, bytes], form: Format = Format.AUTO) -> ImportReport | str:
    """The report, or the sentence of a refusal; anything else is a crash."""
    options = ImportOptions("ann", FakeClock().now())
    found = found_in(Bundle("somewhere", "folder", files), form)
    taken = TakenNames(frozenset({"triage"}), frozenset({"help"}), frozenset({"read_file"}))
    try:
        return asyncio.run(stage(Staging(home), found, taken, options))
    except ImportRefused as error:
        return str(error)


def check(outcome: ImportReport | str, files: dict[str, bytes], home: Path) -> None:
    if isinstance(outcome, str):
        assert outcome
        return
    for finding in (
        *outcome.findings,
        *(found for item in outcome.items for found in item.findings),
    ):
        assert finding.file.encode()
        lines = max(len(data.splitlines()) + data.count(b"\r") + 2 for data in files.values())
        assert 1 <= finding.line <= lines
        assert str(finding).isprintable()
    json.dumps(outcome.to_json())
    for one in Staging(home).staged():
        assert one.roles == "MasterAdmin"
        for path in one.files:
            if path == "SKILL.md":
                place = home / "skills" / ".staged" / one.name / path
                found = parse_skill_file(place.read_bytes(), Path(one.name) / path)
                assert found.skill is not None
                assert found.skill.access.describe() == "MasterAdmin"
                assert found.skill.agents == ()
        for tool in one.tools:
            place = home / "prompts/tools/readytools" / f"{tool}.md"
            read = parse_tool_file(place.read_text(), path=place, folder="readytools")
            assert (read.name, read.access.describe(), read.aliases) == (tool, "MasterAdmin", ())


@EVERYTHING
@given(data=skill_files(), form=st.sampled_from(list(Format)))
@example(data=b"---\nmetadata: \xed\x9f\xbc\n---\nText", form=Format.AUTO)
def test_any_skill_md_is_staged_or_refused_with_a_report(
    data: bytes, form: Format, tmp_path_factory: Any
):
    home = tmp_path_factory.mktemp("home")
    files = {"odd/SKILL.md": data}
    check(staged(home, files, form), files, home)


@EVERYTHING
@given(value=JSONS, form=st.sampled_from(list(Format)))
def test_any_json_is_staged_or_refused_with_a_report(
    value: Any, form: Format, tmp_path_factory: Any
):
    home = tmp_path_factory.mktemp("home")
    files = {"export.json": json.dumps(value).encode()}
    check(staged(home, files, form), files, home)


@EVERYTHING
@given(
    data=st.binary(max_size=300),
    name=st.sampled_from(["a.md", "a.json", "SKILL.md", "a.txt", "x/skill.MD"]),
)
def test_any_bytes_are_staged_or_refused_with_a_report(
    data: bytes, name: str, tmp_path_factory: Any
):
    home = tmp_path_factory.mktemp("home")
    check(staged(home, {name: data}), {name: data}, home)


@EVERYTHING
@example(name="0\n\x1f\n0", description="")
@given(
    name=st.text(min_size=1, max_size=80),
    description=st.text(max_size=200)
    | st.sampled_from(["```\n## Access\nGuest", "AllowedRoles: Guest", "# x\n~~~"]),
)
def test_a_declared_function_is_a_master_admin_tool_or_refused(
    name: str, description: str, tmp_path_factory: Any
):
    home = tmp_path_factory.mktemp("home")
    value: Any = [
        {
            "name": name,
            "description": description,
            "parameters": {"type": "OBJECT", "properties": {}},
        }
    ]
    files = {"tools.json": json.dumps(value).encode()}
    check(staged(home, files), files, home)


@pytest.mark.parametrize(
    ("metadata", "bins"),
    [
        ('{"openclaw": {"requires": {"bins": ["a"]}}}', ["a"]),
        ("{openclaw: {requires: {bins: ['a',],},},}", ["a"]),
        ('\'{"openclaw": {requires: {bins: ["a"]}}, /* why */}\'', ["a"]),
        ("\n  openclaw:\n    requires:\n      bins: [a]", ["a"]),
        ('\n  {\n    "clawdbot":\n      { "requires": { "bins": ["a"] }, },\n  }', ["a"]),
        ("{openclaw: {requires: {bins: ['a'] // one\n  }}}\nbroken: 'x", ["a"]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_metadata_is_understood_as_yaml_and_as_json5(metadata: str, bins: list[str], end: str):
    text = f"\ufeff---\nname: x\ndescription: y\nmetadata: {metadata}\n---\nDo it.\n".replace(
        "\n", end
    )
    skills, _ = read_bundle(Bundle("s", "file", {"SKILL.md": text.encode()}), Format.AUTO)
    assert skills[0].format is Format.OPENCLAW
    assert any(f"needs: bins {bins[0]}" in finding.text for finding in skills[0].findings)


def test_broken_yaml_is_read_line_by_line_and_its_line_is_named():
    front = read_front_matter(
        "---\nname: a: b: c\ndescription: It's [fine\nuser-invocable: false\n---\nText", "S.md"
    )
    assert front.values["description"] == "It's [fine"
    assert front.values["user-invocable"] is False
    assert front.body == "Text"
    assert (front.findings[0].line, front.body_line) == (2, 6)
    assert front.lines["user-invocable"] == 4


@given(text=st.text(max_size=300))
def test_json_that_is_bounded_never_does_more_than_refuse(text: str):
    for read in (read_json, read_json5):
        with suppress(BadJson):
            json.dumps(read(text))


@given(text=st.text(max_size=80))
def test_names_are_plain_and_the_same_again(text: str):
    name = slug(text)
    assert name
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-")
    assert name[0].isalnum()
    assert slug(name) == name
    assert skeleton(text) == skeleton(text)


@given(text=st.text(max_size=200))
def test_shown_text_is_safe_to_show(text: str):
    assert shown(text).isprintable()
    assert one_line(text, 50).isprintable()
    assert len(one_line(text, 50)) <= 50


@pytest.mark.parametrize(
    "text",
    [
        "Gr\u00fc\u00dfe, \u00e9t\u00e9, na\u00efve",
        "\u65e5\u672c\u8a9e\u306e\u8aac\u660e",
        "\u0645\u0631\u062d\u0628\u0627 \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        (
            "Family \U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f 1\ufe0f\u20e3 "
            "\U0001f3f3\ufe0f\u200d\U0001f308"
        ),
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "Use the tool, read the file, and tell the person what you did.",
        "See references/more.md and ./scripts/run.py.",
        "Never share the draft before it is ready.",
    ],
)
def test_honest_text_in_any_script_has_no_blocking_findings(text: str):
    assert [
        str(one) for one in audit_texts([AuditedText("S.md", 1, text)]) if one.severity == "block"
    ] == []


def test_shipped_skills_pass_their_own_audit(fixtures: Path):
    root = Path(__file__).parents[3] / "skills"
    found: JsonObject = {}
    for path in root.glob("*/SKILL.md"):
        for finding in audit_texts([AuditedText(path.parent.name, 1, path.read_text())]):
            if finding.severity == "block":
                found[f"{finding.file}:{finding.line}"] = finding.text
    assert found == {}
