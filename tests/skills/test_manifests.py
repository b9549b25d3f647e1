"""Skill manifests: the published example, errors with lines, roles kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.skills import SkillManifest
from bot.errors import DefinitionError
from bot.shipped import shipped_dir
from bot.skills.manifests import SkillManifests, parse_manifest

SEED = """{
"skill_id": "webdev",
"name": "Web Development",
"required_tools": ["pm_write_file", "pm_shell"],
"swarm_config": {
"default_ants": 3,
"max_parallel": 5
}
}
"""
"""The published example."""
PATH = Path("skills/webdev.json")


def test_the_manifest_of_the_seed_is_read_word_for_word():
    assert parse_manifest(PATH, SEED) == SkillManifest(
        "webdev",
        "Web Development",
        ("pm_write_file", "pm_shell"),
        default_ants=3,
        max_parallel=5,
        source=PATH,
    )


def test_the_shipped_webdev_says_what_the_seed_says():
    shipped = (shipped_dir("skills") / "webdev.json").read_text()
    assert json.loads(shipped) == json.loads(SEED)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: is not JSON"),
        ('{\n"skill_id": "webdev"\n"name": ""}', "line 3: is not JSON"),
        ("[]", "line 1: the manifest must hold"),
        (SEED.replace('"name"', '"nmae"'), "line 3: nmae is not a setting; did you mean 'name'?"),
        (
            SEED.replace('"max_parallel": 5', '"max_parallel": 0'),
            "line 7: swarm_config.max_parallel must be greater",
        ),
        (SEED.replace('["pm_write_file", "pm_shell"]', "[]"), "line 4: required_tools"),
        (SEED.replace("pm_shell", "pm shell"), "line 4: required_tools.1"),
        (
            SEED.replace('"skill_id": "webdev"', '"skill_id": "web"'),
            "line 2: the skill is web but its file webdev.json",
        ),
        (
            SEED.replace('"name": "Web', '"access": "Freind+",\n"name": "Web'),
            "line 3: access unknown role 'Freind'",
        ),
        ("[" * 100_000, "webdev.json"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, says: str):
    with pytest.raises(DefinitionError) as caught:
        parse_manifest(PATH, text)
    assert says in str(caught.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4)
    ),
    max_leaves=10,
)


@given(
    st.dictionaries(
        st.sampled_from(["skill_id", "name", "required_tools", "swarm_config", "access", "other"]),
        json_values,
    )
)
def test_any_manifest_is_read_or_refused_with_a_reason(value: dict[str, Any]):
    try:
        read: SkillManifest | str = parse_manifest(PATH, json.dumps(value))
    except DefinitionError as error:
        read = str(error)
    if isinstance(read, str):
        assert read.startswith(f"{PATH}, line ")
    else:
        assert read.skill_id == "webdev"
        assert read.required_tools


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Path, Path]:
    home, shipped = tmp_path / "home", tmp_path / "shipped"
    home.mkdir()
    shipped.mkdir()
    (shipped / "webdev.json").write_text(SEED)
    return home, shipped


async def test_a_homes_manifest_hides_the_shipped_one_also_after_live_changes(
    roots: tuple[Path, Path],
):
    manifests = SkillManifests(roots)
    await manifests.load()
    assert manifests.tools_of(["webdev", "nothing"], Role.GUEST) == {"pm_write_file", "pm_shell"}
    (roots[0] / "webdev.json").write_text(SEED.replace(', "pm_shell"', ""))
    assert await manifests.reload_changed()
    assert manifests.tools_of(["webdev"], Role.GUEST) == {"pm_write_file"}
    (roots[0] / "webdev.json").write_text("{")
    assert await manifests.reload_changed()
    assert manifests.tools_of(["webdev"], Role.MASTER_ADMIN) == {"pm_write_file"}, (
        "the last good version holds"
    )
    assert not manifests.tools_of(["webdev"], Role.GUEST), "whom it is for can't be read any more"
    assert len(manifests.problems) == 1


@pytest.mark.parametrize(
    ("change", "still"),
    [
        (('"name"', '"access": "Partner", "nome"'), [Role.PARTNER]),
        (('"name"', '"acess": "Partner", "name"'), []),
        (('"name"', '"access": "Partnr", "name"'), []),
        (('"Web Development"', "3"), [Role.GUEST, Role.PARTNER]),
    ],
)
@pytest.mark.parametrize("at_start", [True, False])
async def test_a_broken_manifest_gives_no_right_that_it_does_not_name(
    change: tuple[str, str], still: list[Role], at_start: bool, roots: tuple[Path, Path]
):
    manifests = SkillManifests(roots)
    if not at_start:
        (roots[0] / "webdev.json").write_text(SEED)
        await manifests.load()
    (roots[0] / "webdev.json").write_text(SEED.replace(*change))
    await manifests.reload_changed()
    assert manifests.problems
    assert [role for role in (Role.GUEST, Role.PARTNER) if manifests.get("webdev", role)] == still
    assert manifests.get("webdev", Role.MASTER_ADMIN)


async def test_a_manifest_is_only_there_for_its_roles(roots: tuple[Path, Path]):
    (roots[0] / "webdev.json").write_text(SEED.replace('"name"', '"access": "Partner",\n"name"'))
    manifests = SkillManifests(roots)
    await manifests.load()
    assert [item.skill_id for item in manifests.for_role(Role.PARTNER)] == ["webdev"]
    assert manifests.for_role(Role.FRIEND) == ()
    assert manifests.get("webdev", Role.FRIEND) is None
    assert manifests.tools_of(["webdev"], Role.FRIEND) == frozenset()
