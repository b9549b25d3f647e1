"""The guards of a tool file: they also apply while the rest of the file can't be read."""

from dataclasses import dataclass, replace
from typing import TypeVar

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.domain.lasting import LastingRule
from bot.domain.runs import RunShape
from bot.domain.tools import Risk, ToolDefinition

_BY_GRAVITY = (Risk.EXTERNAL_WRITE, Risk.POLICY_WRITE, Risk.DESTRUCTIVE)

T = TypeVar("T")


@dataclass(frozen=True)
class Guards:
    """The guards of a tool file: its access, runs, risk, and what it makes."""

    access: Access
    risk: Risk | None = None
    requires: tuple[str, ...] = ()
    runs: frozenset[RunShape] | None = None
    confinement: Confinement | None = None
    lasting: tuple[LastingRule, ...] = ()


CLOSED = Guards(Access(frozenset()), Risk.DESTRUCTIVE)
"""Only for a MasterAdmin, with a question each time: if a file's guards are unreadable."""


def held_back(definition: ToolDefinition, guards: Guards) -> ToolDefinition:
    """The definition reduced to `guards`: common roles and runs, and the higher risk."""
    risks = [risk for risk in (definition.risk, guards.risk) if risk is not None]
    return replace(
        definition,
        access=definition.access.narrowed(guards.access),
        runs=_both(definition.runs, guards.runs),
        risk=max(risks, key=_BY_GRAVITY.index, default=None),
        reads=None,
        lasting=tuple(dict.fromkeys((*definition.lasting, *guards.lasting))),
        requires=tuple(dict.fromkeys((*definition.requires, *guards.requires))),
        confinement=guards.confinement or definition.confinement,
    )


def _both(one: frozenset[T] | None, other: frozenset[T] | None) -> frozenset[T] | None:
    """The items that both name; None names everything."""
    if one is None or other is None:
        return other if one is None else one
    return one & other
