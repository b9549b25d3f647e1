"""`/usage`: the usage of one person's requests, and the share of delegated agents."""

from collections.abc import Mapping

from bot.sessions.commands.asked import Asked
from bot.tools.budget.usage import Meter

_NANO = 1_000_000_000
_SPANS = (("Today", 1), ("Last 30 days", 30))


class UsageCommand:
    """Everybody sees their own usage; `bellhop usage` shows all."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    async def run(self, asked: Asked) -> str:
        return "\n".join(
            [
                f"- {name}: {_told(await self._meter.of_person(asked.key.person, n))}"
                for name, n in _SPANS
            ]
        )


def _told(used: Mapping[str, int]) -> str:
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
