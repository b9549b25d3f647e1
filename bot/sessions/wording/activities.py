"""What is being done, in the words and language of the person who waits for it.

A tool's name means nothing to most people, so each tool that ships has a phrase: the house's own
here, often one for several tools, those of plug-ins in `NativeTool.doing`. Tools of a home or a
server have none: of those the name is shown, as words.
"""

from collections.abc import Mapping

from bot.domain.card_words import titled
from bot.domain.chat import Pause, ToolStarted
from bot.domain.languages import Language, Phrase

_ABOUT_CHARS = 60


PAUSES: Mapping[Pause, Phrase] = {
    Pause.TRYING_AGAIN: Phrase("Trying again"),
    Pause.READING_MORE: Phrase("Reading what you added"),
    Pause.MAKING_ROOM: Phrase("Summarising our conversation to make room"),
}


_SPECIALIST_TOOL = "agent_"


_GROUPS = {
    "manage_todos": Phrase("Looking after your todos"),
    "read_file list_directory document_versions": Phrase("Looking through files"),
    "write_file edit_file": Phrase("Writing a file"),
    "delete_file": Phrase("Deleting a file"),
    "remember": Phrase("Going through what I remember"),
    "save_fact share_memory": Phrase("Making a note of it"),
    "forget": Phrase("Forgetting it"),
    "search catch_me_up": Phrase("Searching what was said and kept here"),
    "follow_thread": Phrase("Seeing whom to answer here"),
    "schedule_task remind_member": Phrase("Setting it up for later"),
    "send": Phrase("Writing a message"),
    "tool_search get_capabilities read_skill activate_skill deactivate_skill": Phrase(
        "Looking for the best way"
    ),
    "plan recovery": Phrase("Working through the plan"),
    "call_agent": Phrase("Handing a part of it over"),
    "cancel_agent": Phrase("Stopping what runs"),
    "ask_user_for_clarification plan_calls request_more_turns": Phrase("Preparing a question"),
    "connect_service": Phrase("Seeing how to connect your account"),
    "inspect_cycle recall_recent": Phrase("Looking at earlier work"),
    "finish_task": Phrase("Finishing"),
}
PHRASES: Mapping[str, Phrase] = {
    tool: phrase for tools, phrase in _GROUPS.items() for tool in tools.split()
}
"""By the name of a tool of the house."""


def doing(call: ToolStarted, language: Language) -> str:
    """`Searching the web: “flights to Rome”`."""
    about = f": {titled(call.about, _ABOUT_CHARS)}" if call.about else ""
    words = call.doing.said(language) if call.doing else _phrase(call.name, language)
    return f"{words}{about}"


def pausing(pause: Pause, language: Language) -> str:
    return PAUSES[pause].said(language)


def _phrase(tool: str, language: Language) -> str:
    if (phrase := PHRASES.get(tool)) is not None:
        return phrase.said(language)
    specialist = tool.startswith(_SPECIALIST_TOOL)
    name = titled(tool.removeprefix(_SPECIALIST_TOOL).replace("_", " "), _ABOUT_CHARS)
    return (Phrase("Asking {name}") if specialist else Phrase("Using {name}")).said(
        language, name=name
    )
