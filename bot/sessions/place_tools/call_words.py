"""What calls about events of a server and posts of a forum do, as cards say it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

MAKE_EVENT = Phrase(
    "have the event {name} made for everybody in this server: {when}, until {end}, {where}"
)
CANCEL_EVENT = Phrase("have the event {name} of {when} cancelled for everybody")
NO_TAGS = Phrase("no tags")
SOLVE_LOCKED = Phrase("have the post {title} marked as solved ({tags}, locked)")
POSTS: Mapping[str, Phrase] = {
    "solve": Phrase("have the post {title} marked as solved ({tags})"),
    "reopen": Phrase("have the post {title} opened again ({tags})"),
    "tag": Phrase("have the post {title} tagged: {tags}"),
}
"""By what is done with a post."""
