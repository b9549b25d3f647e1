"""/why, /usage and /rights: what happened, what it used, and what somebody may do."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.access import Role
from bot.sessions.commands.asked import Asked, BuiltIn
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.reports.trails import Trails
from bot.tools.budget.usage import Meter

_NANO = 1_000_000_000
SPANS = (("Today", 1), ("Last 30 days", 30))


@dataclass(frozen=True)
class ReportCommands:
    """Everybody sees their own usage; `bellhop usage` shows all."""

    trails: Trails
    rights_reports: RightsReports
    meter: Meter

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "why",
                self.why,
                usage="[REF]",
            ),
            BuiltIn(
                "usage",
                self.usage,
            ),
            BuiltIn(
                "rights",
                self.rights,
                usage="[TOOL]",
            ),
        )

    async def why(self, asked: Asked) -> str:
        here = asked.message.conversation.key
        return await self.trails.explain(asked.args, here, asked.person, await asked.viewer())

    async def usage(self, asked: Asked) -> str:
        return "\n".join(
            [
                f"- {name}: {used_in_words(await self.meter.of_person(asked.key.person, n))}"
                for name, n in SPANS
            ]
        )

    async def rights(self, asked: Asked) -> str:
        report = await self.rights_reports.of(
            asked.person,
            await asked.channels.locate(asked.message.conversation),
            asked.args or None,
            operator=asked.person.role is Role.MASTER_ADMIN,
        )
        return report.text()


def used_in_words(used: Mapping[str, int]) -> str:
    """Sums of `Meter.of_person` for a person."""
    if not used.get("calls"):
        return "nothing"
    came_in = used["input_tokens"] + used["cache_read_tokens"] + used["cache_write_tokens"]
    tokens = came_in + used["output_tokens"]
    told = f"{_calls(used['calls'])}, {tokens:,} tokens{_money(used['nano_usd'])}"
    if not used["handed_calls"]:
        return told
    share = f" ({round(100 * used['handed_tokens'] / tokens)} %)" if tokens else ""
    handed = (
        f"{_calls(used['handed_calls'])}, {used['handed_tokens']:,} "
        f"tokens{share}{_money(used['handed_nano_usd'])}"
    )
    return f"{told}. Of that by agents that were called: {handed}"


def _calls(count: int) -> str:
    return f"{count:,} model call{'' if count == 1 else 's'}"


def _money(nano_usd: int) -> str:
    return f", ${nano_usd / _NANO:,.4f}" if nano_usd else ""
