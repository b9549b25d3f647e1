"""Polls as words: a poll is a message whose text is its question and answers."""

from collections.abc import Sequence

from bot.chat.payloads import number_in, object_in, objects_in, text_in
from bot.domain.json_types import JsonObject


def poll_words(question: str, answers: Sequence[tuple[str, int]], *, closed: bool) -> str:
    """Each answer with its votes at the moment when the message was read."""
    head = f"[{'closed poll' if closed else 'poll'}: {question}]"
    return "\n".join([head, *(f"- {text} ({votes})" for text, votes in answers)])


def words_of(poll: JsonObject) -> str:
    """A poll as Discord sends it; nothing without one."""
    if not poll:
        return ""
    results = object_in(poll, "results")
    votes = {
        number_in(one, "id"): number_in(one, "count")
        for one in objects_in(results, "answer_counts")
    }
    answers = [
        (text_in(object_in(one, "poll_media"), "text"), votes.get(number_in(one, "answer_id"), 0))
        for one in objects_in(poll, "answers")
    ]
    question = text_in(object_in(poll, "question"), "text")
    return poll_words(question, answers, closed=bool(results.get("is_finalized")))
