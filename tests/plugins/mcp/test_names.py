"""Names of MCP tools: always within what the API takes, never the same for two tools."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bot.plugins.mcp.schemas import tool_name

TAKEN = re.compile(r"[a-zA-Z0-9_-]{1,64}")
SERVERS = st.from_regex(r"[a-z0-9]{1,7}(?:[_-][a-z0-9]{1,7}){0,2}", fullmatch=True)
TOOLS = st.one_of(
    st.text(min_size=1, max_size=128), st.text("abAB01_./-", min_size=1, max_size=128)
)


def test_a_name_that_fits_stays_readable():
    assert tool_name("files", "read_file") == "mcp__files__read_file"


def test_a_name_that_does_not_fit_ends_in_a_hash_of_the_original():
    assert re.fullmatch(r"mcp__files__read_file_[0-9a-f]{8}", tool_name("files", "read.file"))
    assert tool_name("files", "read.file") != tool_name("files", "read/file")
    assert len(tool_name("files", "x" * 100)) == 64


@given(SERVERS, TOOLS)
def test_every_name_is_one_that_the_api_takes(server: str, tool: str):
    assert TAKEN.fullmatch(tool_name(server, tool))
    assert tool_name(server, tool) == tool_name(server, tool)


@given(st.lists(st.tuples(SERVERS, TOOLS), min_size=2, max_size=10, unique=True))
def test_different_tools_have_different_names(pairs: list[tuple[str, str]]):
    assert len({tool_name(server, tool) for server, tool in pairs}) == len(pairs)
