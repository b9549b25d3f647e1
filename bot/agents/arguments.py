"""What the control tools take (requirements, ruling 19); their markdown files declare the same as JSON Schema.

Optional texts and lists use `default_factory`, which keeps `"default"` out of the schema: these tools are declared
in every request, and an empty default tells the model nothing that leaving the field out does not.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.domain.facts import FACT_KEY_CHARS, FACT_VALUE_CHARS

MORE_TURNS_DEFAULT = 5
MORE_TURNS_MAX = 10
"""What one request_more_turns may add (requirements 4.1)."""

CapabilitySection = Literal["tools", "agents", "skills", "integrations", "budgets"]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


class FinishArguments(_Arguments):
    """finish_task: ends the run with this answer, even when other calls stand beside it."""

    answer: str = Field(min_length=1, description="The whole reply to the person.")
    status: Literal["resolved", "partial", "unresolved"] = "resolved"
    follow_up: str = Field(default_factory=str, description="What is left to do.")


class AskArguments(_Arguments):
    """ask_user_for_clarification: suspends the turn until the person's next message here."""

    question: str = Field(min_length=1, description="Answerable without seeing your work.")
    options: list[str] = Field(default_factory=list[str], description="Short answers to choose from.")


class SaveFactArguments(_Arguments):
    """save_fact: one KnownFact of this session."""

    key: str = Field(min_length=1, max_length=FACT_KEY_CHARS, description="Such as release_date.")
    value: str = Field(min_length=1, max_length=FACT_VALUE_CHARS)


class MoreTurnsArguments(_Arguments):
    """request_more_turns: more model calls for this run, up to the hard ceiling."""

    additional: int = Field(default=MORE_TURNS_DEFAULT, ge=1, le=MORE_TURNS_MAX)
    reason: str = Field(min_length=1, description="What is left to do and why it needs more calls.")


class SendArguments(_Arguments):
    """send: an interim message, posted at once."""

    text: str = Field(min_length=1)


class CapabilitiesArguments(_Arguments):
    """get_capabilities: an overview, or with `names` the full definitions, which it unlocks."""

    names: list[str] = Field(default_factory=list[str], max_length=20, description="Tools to unlock.")
    query: str = Field(default_factory=str, description="Show only what mentions these words.")
    include: list[CapabilitySection] = Field(default_factory=list[CapabilitySection], description="Default: all.")


class CallAgentArguments(_Arguments):
    """call_agent: delegation to any agent by name (seed 1)."""

    agent: str = Field(min_length=1, description="Name as get_capabilities lists it.")
    task: str = Field(min_length=1, description="The whole brief.")
    context: str = Field(default_factory=str, description="Background that isn't the work itself.")


class AgentArguments(_Arguments):
    """`agent_<name>`: exactly seed 4's two fields. A blank instruction is refused."""

    instruction: str = Field(min_length=1, description="The whole brief.")
    context: str = Field(default_factory=str, description="Background that isn't the work itself.")
