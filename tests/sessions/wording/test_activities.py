"""What is being done, in words: no tool that ships is called by its name."""

import pytest

from bot.domain.chat import ToolStarted
from bot.domain.languages import Language, Phrase
from bot.sessions.wording.activities import PHRASES, doing
from bot.testing.shipped_tools import shipped_files, shipped_natives


def test_each_tool_that_ships_has_words_and_no_other():
    of_plugins = {tool.name for tool in shipped_natives().tools if tool.doing is not None}
    assert not of_plugins & PHRASES.keys()
    assert {path.stem for path in shipped_files()} == PHRASES.keys() | of_plugins


@pytest.mark.parametrize("language", Language)
def test_no_words_name_a_tool(language: Language):
    of_plugins = [tool.doing for tool in shipped_natives().tools if tool.doing is not None]
    said = [phrase.said(language) for phrase in (*PHRASES.values(), *of_plugins)]
    assert not [one for one in said if "_" in one or len(one) > 80]


@pytest.mark.parametrize(
    ("call", "language", "words"),
    [
        (
            ToolStarted("c", "web_search", "web_search x", "flights to Rome"),
            Language.EN,
            "Searching the web: “flights to Rome”",
        ),
        (ToolStarted("c", "manage_notes", "", ""), Language.FR, "Je m'occupe de vos notes"),
        (
            ToolStarted(
                "c", "dice", "", "", Phrase("Throwing", "Ich würfle", "Je", "Tiro", "Tiro")
            ),
            Language.DE,
            "Ich würfle",
        ),
        (ToolStarted("c", "agent_scribe", "", ""), Language.DE, "Ich frage “scribe”"),
        (ToolStarted("c", "jira_search", "", ""), Language.IT, "Uso “jira search”"),
        (
            ToolStarted("c", "read_file", "", "a **bold** <@1> path\n/x"),
            Language.ES,
            "Miro archivos: “a bold 1 path /x”",
        ),
    ],
)
def test_a_call_is_said_in_the_persons_language(call: ToolStarted, language: Language, words: str):
    assert doing(call, language) == words
