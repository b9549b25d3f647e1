"""Each shipped skill was played: its play passes, and its record says that it was worth it."""

import tempfile
from pathlib import Path

import pytest

from bot.cli.playing import Scene, open_stage, verdict_problems
from bot.cli.skills_check import scenes_of
from bot.shipped import shipped_dir
from bot.skills.families import FAMILIES
from bot.skills.library import SkillLibrary


async def library() -> SkillLibrary:
    skills = SkillLibrary([shipped_dir("skills")])
    await skills.load()
    return skills


async def scenes() -> list[Scene]:
    found, problems = scenes_of(await library())
    assert problems == []
    return found


async def test_the_plays_of_all_shipped_skills_pass(tmp_path: Path):
    played = await scenes()
    wrong: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(dir=tmp_path) as home:
        async with open_stage(Path(home), played) as stage:
            for scene in played:
                if problems := [*await stage.play(scene), *verdict_problems(scene.play)]:
                    wrong[scene.name] = problems
    assert wrong == {}


async def test_no_skill_ships_without_a_play_a_family_and_an_example():
    played = {scene.name for scene in await scenes()}
    for skill in (await library()).all():
        assert skill.name in played, f"{skill.name} has no play.yaml"
        assert skill.family in FAMILIES, skill.name
        assert skill.example, skill.name
        assert len(skill.description) <= 100, skill.name


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_a_short_title(family: str):
    assert len(FAMILIES[family]) <= 20
