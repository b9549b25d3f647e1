"""Discord's polls: what is taken as one, what people vote, and how one ends."""

from datetime import timedelta

from bot.loopback.discord.bodies import ApiError, invalid, objects
from bot.loopback.discord.payloads import moment
from bot.loopback.discord.world import Message, World
from bot.plugin.models import JsonObject

MOST_QUESTION, MOST_ANSWER, MOST_ANSWERS, MOST_HOURS = 300, 55, 10, 768
POLL_RESULT = 46
"""The type of the message that tells how a poll ended."""


def check_poll(poll: JsonObject) -> None:
    """Raise ApiError for a poll that Discord does not take."""
    answers = objects(poll, "answers")
    if not 1 <= len(str(poll["question"].get("text") or "")) <= MOST_QUESTION:
        raise invalid("poll.question.text", f"Must be between 1 and {MOST_QUESTION} in length.")
    if not 1 <= len(answers) <= MOST_ANSWERS:
        raise invalid("poll.answers", f"Must be between 1 and {MOST_ANSWERS} in length.")
    for number, answer in enumerate(answers):
        if not 1 <= len(str(answer["poll_media"].get("text") or "")) <= MOST_ANSWER:
            raise invalid(
                f"poll.answers.{number}.poll_media.text",
                f"Must be between 1 and {MOST_ANSWER} in length.",
            )
    if not 1 <= int(poll.get("duration") or 24) <= MOST_HOURS:
        raise invalid(
            "poll.duration", f"int value should be between 1 and {MOST_HOURS}.", "NUMBER_TYPE_MAX"
        )


def begun_poll(world: World, poll: JsonObject) -> JsonObject:
    """Return the poll as Discord shows it, which says until when and counts."""
    hours = timedelta(hours=int(poll.get("duration") or 24))
    return {
        "question": poll["question"],
        "answers": [
            {**answer, "answer_id": number}
            for number, answer in enumerate(objects(poll, "answers"), start=1)
        ],
        "expiry": moment(world.now() + hours),
        "allow_multiselect": bool(poll.get("allow_multiselect")),
        "layout_type": 1,
        "results": {"is_finalized": False, "answer_counts": []},
    }


def vote(message: Message, answer: str) -> None:
    """Count one more vote. Raises ApiError after the end, LookupError without such an answer."""
    poll = _running(message)
    number = next(
        (
            one["answer_id"]
            for one in objects(poll, "answers")
            if one["poll_media"]["text"] == answer
        ),
        None,
    )
    if number is None:
        raise LookupError(f"the poll has no answer {answer!r}")
    counts = objects(poll["results"], "answer_counts")
    known = next((one for one in counts if one["id"] == number), None)
    if known is None:
        known = {"id": number, "count": 0, "me_voted": False}
        poll["results"]["answer_counts"] = [*counts, known]
    known["count"] += 1


def finish(message: Message) -> JsonObject:
    """Let nobody vote any more; return the embed of the message that tells the result."""
    poll = _running(message)
    poll["results"]["is_finalized"] = True
    votes = {one["id"]: one["count"] for one in objects(poll["results"], "answer_counts")}
    fields: JsonObject = {
        "poll_question_text": poll["question"]["text"],
        "victor_answer_votes": max(votes.values(), default=0),
        "total_votes": sum(votes.values()),
    }
    first = [one for one in votes if votes[one] == fields["victor_answer_votes"]]
    if len(first) == 1:
        winner = next(one for one in objects(poll, "answers") if one["answer_id"] == first[0])
        fields |= {"victor_answer_id": first[0]}
        fields |= {"victor_answer_text": winner["poll_media"]["text"]}
    shown = [{"name": name, "value": str(value), "inline": False} for name, value in fields.items()]
    return {"type": "poll_result", "fields": shown}


def _running(message: Message) -> JsonObject:
    if message.poll is None:
        raise ApiError(400, 520006, "Cannot expire a non-poll message")
    if message.poll["results"]["is_finalized"]:
        raise ApiError(400, 520001, "Poll expired")
    return message.poll
