"""Connectors that are files."""

import pytest

from bot.connectors.shipped import build_connectors
from bot.connectors.surfaces import Surface
from bot.domain.runs import RunKind, RunShape
from bot.domain.tool_context import ToolScope
from bot.files.directory_files import DirectoryFiles
from bot.testing.contexts import make_person
from bot.testing.desk import Desk


@pytest.mark.parametrize("shape", RunShape)
def test_surfaces_are_there_in_every_run_but_research(shape: RunShape):
    connector = Surface("preferences", DirectoryFiles("/preferences", ()))
    scope = ToolScope(make_person(), "assistant", RunKind(shape))
    there = shape is not RunShape.RESEARCH
    assert connector.needs.met(scope) is there
    assert (connector.prompt_section(scope) is not None) is there


def test_the_prompt_says_where_remember_and_always_go():
    connector = Surface("preferences", DirectoryFiles("/preferences", ()))
    section = connector.prompt_section(ToolScope(make_person(), "assistant"))
    assert section is not None
    assert "/preferences/global.md" in section
    assert "remember" in section
    assert "always" in section


def test_sections_together_stay_short(desk: Desk):
    sources = {
        "preferences": DirectoryFiles("/preferences", ()),
        "documents": DirectoryFiles("/documents", ()),
        "custom-skills": DirectoryFiles("/custom-skills", ()),
        "skills": DirectoryFiles("/skills", ()),
    }
    connectors = build_connectors(desk.database, files=sources)
    scope = ToolScope(make_person(), "assistant")
    sections = [section for connector in connectors if (section := connector.prompt_section(scope))]
    assert 0 < sum(map(len, sections)) < 1_500
    prefixes = [source.prefix for connector in connectors for source in connector.file_sources()]
    assert sorted(prefixes) == [
        "/custom-skills",
        "/documents",
        "/preferences",
        "/skills",
        "/todos",
    ]


def test_a_surface_without_a_source_is_left_out(desk: Desk):
    ids = {connector.id for connector in build_connectors(desk.database, files={})}
    assert ids == {
        "todos",
        "connect",
        "search",
    }
