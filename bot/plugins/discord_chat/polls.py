"""Polls in Discord's form: as words, as a value, and as the body of a call.

A poll is a message whose text is its question and answers.
"""

from collections.abc import Sequence
from datetime import datetime

from bot.plugin.chat import Conversation
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in
from bot.plugin.surfaces import NewPoll, Poll, PollAnswer


def poll_words(question: str, answers: Sequence[tuple[str, int]], *, closed: bool) -> str:
    """Each answer with its votes at the moment when the message was read."""
    head = f"[{'closed poll' if closed else 'poll'}: {question}]"
    return "\n".join([head, *(f"- {text} ({votes})" for text, votes in answers)])


def words_of(poll: JsonObject) -> str:
    """A poll as Discord sends it; nothing without one."""
    if not poll:
        return ""
    answers = [(one.text, one.votes) for one in _answers(poll)]
    return poll_words(_question(poll), answers, closed=_is_final(poll))


def poll_in(place: Conversation, message: JsonObject, bot: str) -> Poll | None:
    """The poll of a message; None without one."""
    poll, author = object_in(message, "poll"), object_in(message, "author")
    if not poll:
        return None
    names = (text_in(author, "global_name"), text_in(author, "username"))
    return Poll(
        place,
        text_in(message, "id"),
        _question(poll),
        tuple(_answers(poll)),
        _moment(text_in(poll, "expiry")),
        ended=_is_final(poll),
        several=bool(poll.get("allow_multiselect")),
        own=text_in(author, "id") == bot,
        author=next(filter(None, names), ""),
    )


def poll_body(poll: NewPoll) -> JsonObject:
    """A poll to post."""
    return {
        "question": {"text": poll.question},
        "answers": [{"poll_media": {"text": text}} for text in poll.answers],
        "duration": poll.hours,
        "allow_multiselect": poll.several,
        "layout_type": 1,
    }


def _question(poll: JsonObject) -> str:
    return text_in(object_in(poll, "question"), "text")


def _answers(poll: JsonObject) -> list[PollAnswer]:
    counts = objects_in(object_in(poll, "results"), "answer_counts")
    votes = {number_in(one, "id"): number_in(one, "count") for one in counts}
    return [
        PollAnswer(
            text_in(object_in(one, "poll_media"), "text"), votes.get(number_in(one, "answer_id"), 0)
        )
        for one in objects_in(poll, "answers")
    ]


def _is_final(poll: JsonObject) -> bool:
    return bool(object_in(poll, "results").get("is_finalized"))


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
