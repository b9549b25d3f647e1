"""forum_post: the tags of the post that is talked in, and whether it is solved."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from bot.plugin.places import (
    MOST_TAGS,
    DeliveryError,
    ForumPost,
    HasForums,
    KnowsForums,
    Place,
    PlaceGround,
    PlaceParts,
    any_may,
)
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tools import (
    JsonObject,
    NativeTool,
    Origin,
    Phrase,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolRegistration,
    ToolResult,
    Translations,
    Trust,
    raised_as,
    titled,
)

POSTS: Mapping[str, Phrase] = {
    "solve": Phrase("have the post {title} marked as solved ({tags})"),
    "reopen": Phrase("have the post {title} opened again ({tags})"),
    "tag": Phrase("have the post {title} tagged: {tags}"),
}
"""By what is done with a post."""
SOLVED_AND_LOCKED = Phrase("have the post {title} marked as solved ({tags}, locked)")
NO_TAGS = Phrase("no tags")
_LOOKING_AFTER = Phrase("Looking after this post")


class ForumPostArguments(ToolArguments):
    action: Literal["read", "tag", "solve", "reopen"]
    tags: tuple[str, ...] = Field(
        default=(),
        max_length=MOST_TAGS,
        description="Of those that `read` shows. tag: all that it is to have; else those to add.",
    )
    lock: bool = Field(default=False, description="solve: nobody answers any more.")


@dataclass(frozen=True)
class _Change:
    """What a call makes of a post."""

    post: ForumPost
    tags: tuple[str, ...]
    closed: bool
    locked: bool


@dataclass(frozen=True)
class ForumPostTool:
    """Its author changes a post, and who moderates there. A moderated tag and a lock need these."""

    places: PlaceGround

    def registration(self) -> ToolRegistration:
        tool = NativeTool(
            "forum_post",
            ForumPostArguments,
            self.run,
            check=self._check,
            tells=self._tell,
            doing=_LOOKING_AFTER,
        )
        return self.places.offered(tool, lambda platform: platform.has_forums)

    async def run(self, context: ToolContext, given: ForumPostArguments) -> ToolResult:
        desk = self._desk(context)
        if given.action == "read":
            return _shown(await self._post(desk, context))
        wanted = await self._wanted(desk, context, given)
        try:
            await desk.change(wanted.post, wanted.tags, closed=wanted.closed, locked=wanted.locked)
        except DeliveryError as error:
            raise ToolError(f"{error}; the post is as it was") from error
        return ToolResult(_done(wanted), summary=f"forum post: {given.action}")

    async def _check(self, context: ToolContext, given: ForumPostArguments) -> None:
        """Raises ToolError for what this person may not do, before anybody is asked."""
        if given.action != "read":
            await self._wanted(self._desk(context), context, given)

    async def _tell(self, context: ToolContext, given: ForumPostArguments) -> str | Translations:
        if given.action == "read":
            return ""
        wanted = await self._wanted(self._desk(context), context, given)
        tags = ", ".join(titled(tag, 40) for tag in wanted.tags)
        title, locks = titled(wanted.post.title), given.action == "solve" and wanted.locked
        phrase = SOLVED_AND_LOCKED if locks else POSTS[given.action]
        return Translations.by(
            lambda language: phrase.said(language, title=title, tags=tags or NO_TAGS.said(language))
        )

    def _desk(self, context: ToolContext) -> KnowsForums:
        adapter = self.places.adapters.get(context.conversation.platform)
        if not isinstance(adapter, HasForums) or context.conversation.place is not Place.THREAD:
            raise ToolError("this is no post of a forum")
        return adapter.forums

    async def _post(self, desk: KnowsForums, context: ToolContext) -> ForumPost:
        with raised_as(ToolError, DeliveryError, about="the post can't be read"):
            post = await desk.find(self.places.standing(context))
        if post is None:
            raise ToolError("this is no post of a forum")
        return post

    async def _wanted(
        self, desk: KnowsForums, context: ToolContext, given: ForumPostArguments
    ) -> _Change:
        """Raises ToolError for a tag that isn't there, or what the person may not do."""
        post = await self._post(desk, context)
        offered = {tag.name.casefold(): tag for tag in post.offered}
        unknown = [tag for tag in given.tags if tag.casefold() not in offered]
        if unknown:
            known = ", ".join(titled(tag.name, 40) for tag in post.offered) or "none"
            raise ToolError(f"tags: the forum has no {titled(unknown[0], 40)}; it has {known}")
        named = tuple(offered[tag.casefold()].name for tag in given.tags)
        tags = named if given.action == "tag" else tuple(dict.fromkeys((*post.tags, *named)))
        if len(tags) > MOST_TAGS:
            raise ToolError(f"a post has at most {MOST_TAGS} tags; name with `tag` which it keeps")
        closed = {"solve": True, "reopen": False}.get(given.action, post.closed)
        locked = {"solve": given.lock or post.locked, "reopen": False}.get(
            given.action, post.locked
        )
        wanted = _Change(post, tags, closed, locked)
        await self._require_right(desk, context, wanted)
        return wanted

    async def _require_right(
        self, desk: KnowsForums, context: ToolContext, wanted: _Change
    ) -> None:
        here, post = context.conversation, wanted.post
        accounts = self.places.accounts(context)
        if await any_may(accounts, desk.moderates, here):
            return
        if post.author not in accounts:
            raise ToolError(
                "only who opened this post, and who moderates here, can have that changed; "
                "one of them has to ask for it"
            )
        changed = {*post.tags} ^ {*wanted.tags}
        moderated = [tag.name for tag in post.offered if tag.moderated and tag.name in changed]
        if moderated or wanted.locked is not post.locked:
            what = f"the tag {titled(moderated[0], 40)}" if moderated else "the lock"
            raise ToolError(f"{what} is for moderators alone; one of them has to ask for it")


def _shown(post: ForumPost) -> ToolResult:
    told: JsonObject = {
        "title": post.title,
        "tags": post.tags,
        "offered": [tag.name for tag in post.offered if not tag.moderated],
        "for_moderators": [tag.name for tag in post.offered if tag.moderated],
        "closed": post.closed,
        "locked": post.locked,
    }
    return ToolResult(json.dumps(told, ensure_ascii=False), origin=Origin(Trust.OUTSIDER, "forum"))


def _done(wanted: _Change) -> str:
    tags = f"its tags are {', '.join(wanted.tags)}" if wanted.tags else "it has no tags"
    closing = "; it closes by itself after an hour of silence" if wanted.closed else ""
    locked = " and nobody but moderators answers" if wanted.locked else ""
    return f"done: {tags}{closing}{locked}"


class Forums(Plugin[NoSettings]):
    name = "forums"
    title = "posts of a forum: their tags, and whether they are solved"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(places=lambda ground: PlaceParts((ForumPostTool(ground).registration(),)))
