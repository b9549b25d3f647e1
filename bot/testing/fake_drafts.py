"""Open drafts in memory, for adapters without an app behind them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.drafts import OpenDraft


@dataclass
class FakeDrafts:
    """Implements `domain.drafts.OpenDrafts`; a test hands it from one life to the next."""

    noted: dict[str, OpenDraft] = field(default_factory=dict[str, OpenDraft])
    _platforms: dict[str, str] = field(default_factory=dict[str, str])

    async def note(self, platform: str, draft: OpenDraft) -> None:
        self.noted[draft.id] = draft
        self._platforms[draft.id] = platform

    async def forget(self, platform: str, id_: str) -> None:
        self.noted.pop(id_, None)

    async def left(self, platform: str) -> Sequence[OpenDraft]:
        return [
            one for one in self.noted.values() if self._platforms.get(one.id, platform) == platform
        ]
