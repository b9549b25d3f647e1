"""/why, /usage and /rights: what happened, what it used, and what somebody may do."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.access import Role
from bot.domain.budget_words import MODEL_CALLS
from bot.domain.chat_commands import Asked, ChatCommand
from bot.domain.languages import CountedPhrase, Language, Phrase, decimal
from bot.sessions.reports.rights_report import RightsReports
from bot.sessions.reports.trails import Trails
from bot.tools.budget.usage import Meter

TOKENS = CountedPhrase(Phrase("{count} token"), Phrase("{count} tokens"))

_NANO = 1_000_000_000
SPANS = ((Phrase("Today"), 1), (Phrase("Last 30 days"), 30))


@dataclass(frozen=True)
class ReportCommands:
    """Everybody sees their own usage; `bellhop usage` shows all."""

    trails: Trails
    rights_reports: RightsReports
    meter: Meter

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "why",
                self.why,
                usage="[REF]",
            ),
            ChatCommand(
                "usage",
                self.usage,
            ),
            ChatCommand(
                "rights",
                self.rights,
                usage="[TOOL]",
            ),
        )

    async def why(self, asked: Asked) -> str:
        here = asked.message.conversation.key
        viewer = await asked.viewer()
        return await self.trails.explain(asked.args, here, asked.person, viewer, asked.language)

    async def usage(self, asked: Asked) -> str:
        language, person = asked.language, asked.key.person
        used = [(name, await self.meter.of_person(person, days)) for name, days in SPANS]
        return "\n".join(
            f"- {name.said(language)}: {used_in_words(sums, language)}" for name, sums in used
        )

    async def rights(self, asked: Asked) -> str:
        report = await self.rights_reports.of(
            asked.person,
            await asked.located(),
            asked.args or None,
            operator=asked.person.role is Role.MASTER_ADMIN,
            language=asked.language,
        )
        return report.text()


def used_in_words(used: Mapping[str, int], language: Language) -> str:
    """Sums of `Meter.of_person` for a person."""
    if not used.get("calls"):
        return Phrase("nothing").said(language)
    came_in = used["input_tokens"] + used["cache_read_tokens"] + used["cache_write_tokens"]
    tokens = came_in + used["output_tokens"]
    calls = MODEL_CALLS.said(language, used["calls"])
    told = f"{calls}, {TOKENS.said(language, tokens)}{_money(used['nano_usd'], language)}"
    if not used["handed_calls"]:
        return told
    share = f" ({round(100 * used['handed_tokens'] / tokens)} %)" if tokens else ""
    handed = (
        f"{MODEL_CALLS.said(language, used['handed_calls'])}, "
        f"{TOKENS.said(language, used['handed_tokens'])}{share}"
        f"{_money(used['handed_nano_usd'], language)}"
    )
    return Phrase("{own}. Of that by agents that were called: {handed}").said(
        language, own=told, handed=handed
    )


def _money(nano_usd: int, language: Language) -> str:
    return f", ${decimal(nano_usd / _NANO, 4, language)}" if nano_usd else ""
