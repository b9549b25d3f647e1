"""People's words in five languages bring them to the skill for their job, and to no other.

`python bench/skill_wants.py --show` gives the figures, and names what is missed.
"""

from pathlib import Path

import pytest

import bot
from bot.cli.skills_check import scenes_of
from bot.domain.finding import Beyond, ServiceOffer
from bot.domain.skills import Skill
from bot.shipped import shipped_dir
from bot.skills.library import SkillLibrary
from bot.testing.tools import a_scope, native
from bot.testing.wants import read_wants, skill_judged, want_house
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.toolset.finding import fitting_skill
from bot.tools.toolset.toolset import Toolset

BENCH = Path(bot.__file__).parent.parent / "bench"


@pytest.mark.parametrize(
    ("name", "served", "wrong"),
    [
        ("skill_wants", 0.9, 0.02),
        ("skill_wants_fresh", 0.9, 0.025),
        ("skill_wants_apart", 0.2, 0.04),
    ],
)
async def test_wants_come_to_their_skill_and_hardly_any_to_another(
    name: str, served: float, wrong: float
):
    toolset, wants = (await want_house()).toolset(), read_wants(BENCH / f"{name}.json")
    judged = [skill_judged(want, toolset) for want in wants]
    asking = sum(bool(want.finds) for want in wants)
    assert 0.3 * len(wants) <= len(wants) - asking <= 0.4 * len(wants)
    assert sum(one.served for one in judged) >= served * asking
    assert sum(one.wrong for one in judged) <= wrong * len(wants)


async def test_what_somebody_asks_in_the_play_of_a_skill_names_it():
    toolset, library = (await want_house()).toolset(), SkillLibrary([shipped_dir("skills")])
    await library.load()
    scenes, problems = scenes_of(library)
    assert problems == []
    named = {scene.name: toolset.fitting_skill(scene.play.asked) for scene in scenes}
    assert {name: skill and skill.name for name, skill in named.items()} == {
        name: name for name in named
    }


def test_what_is_pasted_behind_a_wish_names_no_skill():
    skills = [a_skill("config", "check config"), a_skill("tls", "check the certificate")]
    found = fitting_skill(skills, "check this config\n```\nssl_certificate = the certificate\n```")
    assert found is not None
    assert found.name == "config"
    alone = fitting_skill(skills, "```\ncheck the certificate\n```")
    assert alone is not None
    assert alone.name == "tls"


def a_skill(name: str, *words: str) -> Skill:
    return Skill(name, name, f"/skills/{name}/SKILL.md", words=words)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("a FAQ", "faq"),
        ("what does FAQ stand for?", None),
        ("write a FAQ of our questions", "faq"),
        ("a poll", None),
        ("poll the members about the date", "poll"),
        ("good morning", None),
        ("the days in?", "trip"),
        ("write a program that counts the days in a year", None),
    ],
)
def test_one_telling_word_beside_others_or_two_skills_alike_name_none(
    words: str, named: str | None
):
    skills = [
        a_skill("faq", "FAQ", "collect questions", "~write"),
        a_skill("poll", "poll", "poll date"),
        a_skill("trip", "days in", "plan trip"),
        a_skill("survey", "poll", "questionnaire"),
    ]
    found = fitting_skill(skills, words)
    assert (found.name if found else None) == named


def test_a_turn_that_looks_for_a_skill_asks_nothing_of_what_could_be_set_up():
    """That asks every plug-in, in each turn."""

    def asked() -> list[ServiceOffer]:
        raise AssertionError("nobody wants to know")

    skill = a_skill("config", "check config")
    beyond = Beyond(skills=[skill], look_for_offers=asked)
    catalog = ToolCatalog([])
    toolset = Toolset(catalog, a_scope(), natives=native(), beyond=lambda _scope: beyond)
    assert toolset.fitting_skill("check this config") is skill
    with pytest.raises(AssertionError, match="nobody"):
        toolset.search(None, "check this config")
