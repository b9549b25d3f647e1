"""What built-in commands are called and do, in each language.

Platforms with commands of their own show these words in the language of a person's app. Typed
commands keep their English names.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.languages import Phrase


@dataclass(frozen=True)
class CommandWords:
    name: Phrase
    about: Phrase
    """At most 100 characters: Discord's limit."""


COMMANDS: Mapping[str, CommandWords] = {
    words.name.en: words
    for words in (
        CommandWords(Phrase("help"), Phrase("what I can do and which commands there are")),
        CommandWords(
            Phrase("ask"), Phrase("ask me something; where others read, only you read the answer")
        ),
        CommandWords(
            Phrase("catchup"),
            Phrase("what happened here since you were last here; only you read the answer"),
        ),
        CommandWords(
            Phrase("follow"), Phrase("answer everything in this thread, without a mention")
        ),
        CommandWords(
            Phrase("leave"), Phrase("leave this thread: answer in it only who mentions me")
        ),
        CommandWords(Phrase("mode"), Phrase("whom I answer in this channel; a Partner changes it")),
        CommandWords(
            Phrase("answers"),
            Phrase("long answers whole, or short with the rest as a file or in the thread"),
        ),
        CommandWords(
            Phrase("new"),
            Phrase("start afresh: I forget our conversation; files, todos, notes and memory stay"),
        ),
        CommandWords(
            Phrase("compact"), Phrase("go on from a summary of our conversation, to make room")
        ),
        CommandWords(Phrase("stop"), Phrase("stop what I am doing for you here")),
        CommandWords(Phrase("status"), Phrase("model, role, and what is running or waiting")),
        CommandWords(
            Phrase("plan"), Phrase("the plan that I work on here; strike a task, or add one")
        ),
        CommandWords(
            Phrase("why"), Phrase("what happened to your last message, or to a reference")
        ),
        CommandWords(Phrase("rate"), Phrase("say whether an answer helped")),
        CommandWords(
            Phrase("home"), Phrase("your todos, schedules, approvals and costs on one page")
        ),
        CommandWords(
            Phrase("usage"), Phrase("what your requests used, and the agents that I called")
        ),
        CommandWords(Phrase("rights"), Phrase("what you may do here, and which file says so")),
        CommandWords(Phrase("approve"), Phrase("let a waiting call run")),
        CommandWords(Phrase("reject"), Phrase("refuse a waiting call")),
        CommandWords(
            Phrase("approvals", context="command"),
            Phrase("what waits for your yes; show one again"),
        ),
        CommandWords(
            Phrase("grants", context="command"), Phrase("what I may do without asking; revoke it")
        ),
        CommandWords(Phrase("undo"), Phrase("take back what I changed for you in the last hour")),
        CommandWords(
            Phrase("todo", context="command"),
            Phrase("your open todos; say that one is done, or move it"),
        ),
        CommandWords(Phrase("remindme"), Phrase("whether others may set reminders for you")),
        CommandWords(Phrase("schedule"), Phrase("your schedules, and how their last runs ended")),
        CommandWords(
            Phrase("automations", context="command"), Phrase("what runs by itself; on or off here")
        ),
        CommandWords(
            Phrase("files", context="command"),
            Phrase("list your documents, or get one by its path"),
        ),
        CommandWords(
            Phrase("memory", context="command"),
            Phrase("what I remember about you; forget it; learning on or off"),
        ),
        CommandWords(
            Phrase("share"),
            Phrase("share a sentence with all members, after you have seen who will read it"),
        ),
        CommandWords(Phrase("export"), Phrase("everything that I keep of you, as files")),
        CommandWords(Phrase("connect"), Phrase("connect your account at another service")),
        CommandWords(Phrase("disconnect"), Phrase("disconnect it")),
        CommandWords(
            Phrase("claim"), Phrase("become the owner, with the code that the terminal shows")
        ),
        CommandWords(Phrase("pair"), Phrase("say who somebody is (MasterAdmin)")),
        CommandWords(
            Phrase("takeover"), Phrase("give a contact what is kept under another id (MasterAdmin)")
        ),
        CommandWords(
            Phrase("tools"),
            Phrase("decide about tools and skills that were made here (MasterAdmin)"),
        ),
        CommandWords(
            Phrase("skills"),
            Phrase("the skills that are here, by family; MasterAdmins import some"),
        ),
        CommandWords(Phrase("skill"), Phrase("run a skill, or: list, show, new, share, remove")),
    )
}
