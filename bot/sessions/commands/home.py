"""`/home`: a person's page in words, where a platform has no page of its own to show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.home import HomeSection
from bot.sessions.commands.asked import Asked, BuiltIn
from bot.sessions.commands.home_pages import HomePages
from bot.sessions.wording.todo_phrases import ASK_DIRECTLY


@dataclass(frozen=True)
class HomeCommand:
    pages: HomePages

    def commands(self) -> tuple[BuiltIn, ...]:
        return (BuiltIn("home", self.run),)

    async def run(self, asked: Asked) -> str:
        if not asked.alone:
            return ASK_DIRECTLY.said(asked.language)
        viewer = await asked.viewer()
        return in_lines(await self.pages.of(asked.person, viewer, asked.language))


def in_lines(sections: Sequence[HomeSection]) -> str:
    lines: list[str] = []
    for section in sections:
        lines += [
            f"**{section.title}**",
            *(f"- {' '.join(item.text.split())}" for item in section.items),
        ]
        lines += [section.more] if section.more else []
        lines.append("")
    return "\n".join(lines).strip()
