"""What `/rights` says."""

from collections.abc import Mapping

from bot.domain.languages import Language, Phrase
from bot.domain.places import Reach
from bot.tools.policy.verdicts import Strictness

HEAD = Phrase("{name} (`{id}`) is {role}: {source}.")
IN = Phrase("In {place}:")
TOOLS = Phrase("Tools:")
YES = Phrase("yes")
NO = Phrase("no")
OF_TOOL = Phrase("- {tool}: {has}, {because}")
_LINE = Phrase("{file}, line {line}")
DIRECTLY = Phrase("a direct conversation ({platform})")
ANY_PLATFORM = Phrase("any platform")
CHANNEL = Phrase("channel {id}")
CHANNELS = Phrase("channels")
REACHES: Mapping[Reach, Phrase] = {
    Reach.DM: Phrase("dm"),
    Reach.PRIVATE: Phrase("private"),
    Reach.PUBLIC: Phrase("public"),
}
OR = Phrase(" or ")
OF_CATEGORY = Phrase("of category {id}")
OF_WORKSPACE = Phrase("of workspace {id}")
ON = Phrase("on {platform}")
AT_TERMINAL = Phrase("the person at the terminal")
ON_PLATFORM = Phrase("their roles on the platform ({tables})")
NO_TOOL_HERE = Phrase("there is no such tool here")
NO_TOOL = Phrase("there is no such tool")
OPEN_TO = Phrase("open to {roles}{source}")
EVERYONE = Phrase("everyone")
NOBODY = Phrase("nobody")
CLOSED_BY = Phrase("closed by {rule} ({source})")
CLOSED = Phrase("closed by a rule")
OF_ANOTHER = Phrase("another agent's tool (folder {folder})")
NOT_IN_TALK = Phrase("doesn't exist in conversations")
REQUIRES = Phrase("requires {what}, which is not available to this person")
A_CONNECTOR = Phrase("a connector")
CANT_RUN = Phrase("can't run: {why}")
NOTHING_RUNS = Phrase("nothing in this installation runs it")
FOR_SOME = Phrase(" for some arguments")
DECISIONS: Mapping[Strictness, Phrase] = {
    Strictness.ALLOW: Phrase("not asked about{some}: {rule} ({source})"),
    Strictness.ASK: Phrase("asked about{some}: {rule} ({source})"),
    Strictness.DENY: Phrase("denied{some}: {rule} ({source})"),
}
ALL_CLOSED = Phrase("every tool is closed: policy:{rule} ({source})")
AGENT = Phrase("agent: {value}")
REPLY = Phrase("reply: {value}")
GUESTS = Phrase("guests: {value}")
DEFAULT = Phrase("default")
NOT_LEARNED = Phrase("nothing is learned there ({source})")
BUDGET = Phrase("budget: {name} {amount} ({source})")


def at_line(source: str, language: Language) -> str:
    """A file and the line in it, as the house writes them: `policy.yaml, line 5`."""
    file, _, line = source.rpartition(", line ")
    return _LINE.said(language, file=file, line=line) if file else source
