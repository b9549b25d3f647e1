"""What people do to a running app, and what is posted until it is quiet again."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from bot.domain.messages import Choice, OutgoingMessage
from bot.testing.fake_chat import FakeChat


class PeopleActs(ABC):
    """The people's side of an app with one platform."""

    chat: FakeChat

    @abstractmethod
    async def quiet(self) -> None:
        """Wait until all that was accepted is done, or waits for a person."""

    async def tell(self, who: str, text: str, **options: object) -> list[str]:
        """Say something; return the texts of all posts until it is quiet."""
        return await self.posts_after(self.chat.say(who, text, **options))

    async def order(self, who: str, name: str, args: str = "", **options: object) -> list[str]:
        """Give a command; return the texts of all posts until it is quiet."""
        return await self.posts_after(self.chat.command(who, name, args, **options))

    async def press(self, who: str, choice: Choice, **options: object) -> list[str]:
        """Press a button; return the texts of all posts until it is quiet."""
        clicked = self.chat.click(who, choice.ref, choice.verb, choice.value, **options)
        return await self.posts_after(clicked)

    async def posts_after(self, act: Awaitable[object]) -> list[str]:
        """The texts of all posts from the begin of an act until it is quiet."""
        before = len(self.chat.posts)
        await act
        await self.quiet()
        return self.chat.texts[before:]

    @property
    def cards(self) -> list[OutgoingMessage]:
        """Whatever was posted with buttons, oldest first."""
        return self.chat.cards
