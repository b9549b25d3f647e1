"""Globs as documented, ranked queries, and no results that a person may not see."""

import json
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.tool_outcomes import ToolResult, Unlocked
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.errors import ToolError
from bot.storage.stems import porter_stem
from bot.testing.tools import ToolFolder, a_call, a_context, a_scope, a_toolset
from bot.tools.catalog.search import NameList, ToolIndex
from bot.tools.native.discovery import TOOL_SEARCH, ToolSearchArguments
from bot.tools.text.patterns import glob_regex
from bot.tools.text.stemming import stem, terms
from bot.tools.toolset.toolset import Toolset
from tests.thoroughness import examples

NAME = st.text("abAB_-?[].", min_size=1, max_size=10)


def plainly(pattern: str, name: str) -> bool:
    return (
        re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.IGNORECASE) is not None
    )


@given(st.text("abAB_-?[].*", max_size=10), NAME)
def test_a_glob_matches_whole_names_with_only_the_star_special(pattern: str, name: str):
    assert (glob_regex(pattern).fullmatch(name) is not None) == plainly(pattern, name)


@given(
    st.text("abAB_-*", max_size=6),
    st.lists(st.text("abAB_-", min_size=1, max_size=5), max_size=8, unique=True),
)
def test_a_list_of_names_finds_what_each_name_alone_would(pattern: str, names: list[str]):
    tools = [
        ToolDefinition(name, "x", {"type": "object"}, "shared", NativeImplementation("x"))
        for name in names
    ]
    assert NameList(tools).matching(pattern) == sorted(
        name for name in names if plainly(pattern, name)
    )


def test_a_hostile_glob_takes_no_time():
    started = time.thread_time()
    assert glob_regex("*a" * 60 + "*b").fullmatch("a" * 64) is None
    assert time.thread_time() - started < 0.1


async def a_house(files: ToolFolder) -> Toolset:
    files.put("shared/send_email", "## Aliases\nemail_send\n## Access\nFriend")
    files.put("shared/email_read", "Reads the inbox.")
    files.put("shared/email_purge", "## Access\nMasterAdmin\n## Risk\ndestructive")
    files.put(
        "shared/manage_todos",
        "# manage_todos\n## Description\nKeeps a list of tasks.\n## Parameters\n"
        '{"type": "object", "properties": {"due": {"type": "string", "description": "When to '
        'remind, a deadline"}}}',
    )
    files.put("shared/tool_search")
    catalog = await files.loaded()
    return a_toolset(catalog, a_scope(Role.FRIEND))


def found(toolset: Toolset, pattern: str | None = None, query: str | None = None) -> list[str]:
    return [tool.name for tool in toolset.search(pattern, query).matches]


async def test_globs_match_names_and_aliases_and_show_the_real_name(files: ToolFolder):
    toolset = await a_house(files)
    assert found(toolset, "EMAIL_*") == ["email_read", "send_email"]
    assert found(toolset, "email_?ead") == []
    assert found(toolset, "mail") == []


async def test_a_glob_gives_at_most_50_and_counts_the_rest(files: ToolFolder):
    for number in range(70):
        files.put(f"shared/thing_{number:02}")
    catalog = await files.loaded()
    result = a_toolset(catalog).search("thing*", None)
    assert [tool.name for tool in result.matches] == [f"thing_{number:02}" for number in range(50)]
    assert result.cut == 20


async def test_a_query_ranks_over_names_descriptions_and_parameters(files: ToolFolder):
    toolset = await a_house(files)
    assert found(toolset, query="remind me of the deadlines")[0] == "manage_todos"
    assert found(toolset, query="reading my inbox")[0] == "email_read"
    assert found(toolset, query="zebra") == []
    assert found(toolset, "*todos", "list email tasks") == ["manage_todos"]


async def test_neither_finds_what_the_role_lacks(files: ToolFolder):
    toolset = await a_house(files)
    assert "email_purge" not in found(toolset, "*")
    assert "email_purge" not in found(toolset, query="email purge")
    assert toolset.search(None, "purge").cut == 0


async def search(toolset: Toolset, **arguments: str) -> tuple[dict[str, object], ToolResult]:
    context = a_context(toolset, a_call("tool_search", **arguments))
    outcome = await TOOL_SEARCH.run(context, ToolSearchArguments(**arguments))
    assert isinstance(outcome, ToolResult)
    return json.loads(outcome.content), outcome


async def test_tool_search_unlocks_what_was_locked(files: ToolFolder):
    toolset = await a_house(files)
    answer, result = await search(toolset, pattern="*")
    assert answer["unlocked"] == ["email_read", "send_email"]
    assert answer["total"] == 4
    (effect,) = result.effects
    assert isinstance(effect, Unlocked)
    toolset.unlock(effect.declarations)
    answer, result = await search(toolset, pattern="email_read")
    assert answer["matches"] == [
        {"name": "email_read", "description": "Does email_read. Reads the inbox."}
    ]
    assert answer["unlocked"] == []
    assert result.effects == ()


async def test_nothing_found_is_no_error_and_says_how_to_go_on(files: ToolFolder):
    answer, result = await search(await a_house(files), pattern="calendar_*")
    assert (answer["matches"], answer["total"], result.is_error) == ([], 0, False)
    assert "query" in str(answer["hint"])


async def test_a_search_for_nothing_is_an_error_for_the_model(files: ToolFolder):
    toolset = await a_house(files)
    for arguments in (ToolSearchArguments(), ToolSearchArguments(pattern=" ", query="")):
        try:
            await TOOL_SEARCH.run(a_context(toolset, a_call("tool_search")), arguments)
        except ToolError as error:
            assert "pattern" in str(error)  # noqa: PT017 - pytest.raises can't be used in a loop as clearly
        else:
            raise AssertionError("a search without arguments was accepted")


def test_words_of_one_family_share_their_stem():
    for family in (
        ["connect", "connected", "connecting", "connection", "connections"],
        ["relate", "relational"],
        ["note", "notes"],
        ["carry", "carries"],
        ["hop", "hopping"],
        ["agreed", "agree"],
    ):
        assert len({stem(word) for word in family}) == 1, family


def test_names_are_split_and_cjk_becomes_pairs():
    assert terms("createEvent send_email") == ["creat", "event", "send", "email"]
    assert terms("日程表") == ["日程", "程表"]
    assert terms("what is the") == ["what", "is", "the"]


WORDS = st.sampled_from(["mail", "note", "cal", "todo", "file"])


@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=6), max_size=12),
    st.lists(WORDS, max_size=4),
    st.sets(st.integers(0, 11)),
)
def test_a_ranking_gives_the_best_visible_tools(
    docs: list[list[str]], query: list[str], seen: set[int]
):
    tools = [
        ToolDefinition(
            f"t{at:02}", " ".join(words), {"type": "object"}, "shared", NativeImplementation("x")
        )
        for at, words in enumerate(docs)
    ]
    index = ToolIndex(tools)
    visible = frozenset(at for at in seen if at < len(tools))
    best, matched = index.rank(" ".join(query), visible, 3)
    scores = sorted(
        (index.score(dict.fromkeys(terms(" ".join(query))), tools[at]) for at in visible),
        reverse=True,
    )
    wanted = [score for score in scores if score > 0]
    assert matched == len(wanted)
    assert [score for score, _ in best] == pytest.approx(wanted[:3])
    assert all(
        score == pytest.approx(index.score(dict.fromkeys(terms(" ".join(query))), tools[at]))
        for score, at in best
    )


def test_in_a_large_catalogue_common_words_rank_what_the_rare_ones_found():
    def tool(at: int) -> ToolDefinition:
        rare = f" {'rare' * (at % 97 == 0)} {'scarce' * (at % 61 == 0)}"
        text = "common " * (1 + at % 3) + rare + " filler" * (at % 7)
        return ToolDefinition(
            f"t{at:04}", text, {"type": "object"}, "shared", NativeImplementation("x")
        )

    tools = [tool(at) for at in range(1500)]
    index = ToolIndex(tools)
    visible = frozenset(range(0, 1500, 3))
    best, _ = index.rank("rare scarce common filler", visible, 5)
    scores = sorted(
        (index.score(terms("rare scarce common filler"), tools[at]) for at in visible), reverse=True
    )
    assert [score for score, _ in best] == pytest.approx(scores[:5])


def test_numbers_and_references_which_never_end_take_no_memory():
    kept = porter_stem.cache_info
    before = kept().currsize
    assert terms("running 4711 t42 7f3a9c") == ["run", "4711", "t42", "7f3a9c"]
    terms(" ".join(f"{number} t{number} {number:x}0" for number in range(5_000)))
    assert kept().currsize - before <= 1


def _tool(name: str, about: str) -> ToolDefinition:
    return ToolDefinition(name, about, {"type": "object"}, "shared", NativeImplementation(name))


@settings(max_examples=examples(60))
@given(st.lists(st.integers(0, 11), unique=True, max_size=8).map(sorted),
       st.lists(st.integers(0, 11), unique=True, max_size=8).map(sorted),
       st.sets(st.integers(0, 11)))  # fmt: skip
def test_an_index_that_takes_over_from_another_ranks_as_a_new_one(
    first: list[int], second: list[int], changed: set[int]
):
    words = ("paint the fence", "the garden fence", "water plants daily", "paint paint walls")
    files = {n: _tool(f"t{n}", words[n % 4] + f" w{n}") for n in range(12)}
    before = ToolIndex([files[n] for n in first])
    files |= {n: _tool(f"t{n}", words[(n + 1) % 4]) for n in changed}
    tools = [files[n] for n in second]
    everything = frozenset(range(len(tools)))
    for query in ("paint fence", "garden w3", "water daily walls", "w7"):
        found = ToolIndex(tools, before).rank(query, everything, 5)
        assert found == ToolIndex(tools).rank(query, everything, 5)


@settings(max_examples=examples(30))
@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 5)), max_size=4), st.integers(16, 22))
def test_an_index_with_a_few_changes_is_that_of_all_its_files(
    edits: list[tuple[int, int]], size: int
):
    words = ["paint the fence", "water the garden garden", "daily walls", "garden", "fence", "a b"]
    tools = [_tool(f"t{n}", f"{words[n % 4]} w{n % 7}") for n in range(20)]
    before = ToolIndex(tools)
    old = {term: list(places) for term, places in before.places.items()}
    for at, word in edits:
        tools[at] = _tool(f"t{at}", words[word])
    tools = [*tools[:size], *(_tool(f"t{n}", words[n % 4]) for n in range(20, size))]
    index, new = ToolIndex(tools, before), ToolIndex(tools)
    assert (index.places, index.again, index.lengths) == (new.places, new.again, new.lengths)
    assert {term: list(places) for term, places in before.places.items()} == old


def test_a_tool_without_any_word_is_indexed():
    index = ToolIndex([_tool("_", "?!")])
    assert index.rank("?!", frozenset({0}), 5) == ([], 0)
