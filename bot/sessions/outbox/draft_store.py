"""Open drafts: the SQL of messages that a platform shows while a turn writes its answer."""

from collections.abc import Sequence

from bot.domain.database import Database, Unit, Write
from bot.domain.drafts import OpenDraft


class DraftStore:
    """Implements domain.drafts.OpenDrafts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, platform: str, draft: OpenDraft) -> None:
        row = (draft.id, platform, draft.channel, draft.thread, draft.answers, draft.message)
        await self._database.write(
            Unit.of(
                Write(
                    "INSERT INTO open_drafts (id, platform, channel, thread, answers, message)"
                    " VALUES (?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (id) DO UPDATE SET message = excluded.message",
                    row,
                )
            )
        )

    async def forget(self, platform: str, id_: str) -> None:
        gone = Write("DELETE FROM open_drafts WHERE platform = ? AND id = ?", (platform, id_))
        await self._database.write(Unit.of(gone))

    async def left(self, platform: str) -> Sequence[OpenDraft]:
        rows = await self._database.read(
            "SELECT id, channel, thread, answers, message FROM open_drafts WHERE platform = ?",
            (platform,),
        )
        return [
            OpenDraft(row["id"], row["channel"], row["thread"], row["answers"], row["message"])
            for row in rows
        ]
