"""The step "Ask Bellhop" in workflows: a question comes in, and the answer goes on in the workflow.

Slack does not say who started a workflow, and its builder can write any question. So a step asks as
a guest of its own, whose words order nothing and who remembers nothing of other runs. Each run is a
conversation of its own. An operator can give the steps a role in contacts.yaml.
"""

import logging
from datetime import datetime
from typing import Any

from bot.plugin.chat import (
    Addressed,
    Conversation,
    IncomingMessage,
    OutgoingMessage,
    Place,
    PlatformPerson,
    Receipt,
    ReplyTarget,
)
from bot.plugin.drawing import Phrase
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.places import PLATFORM, moment
from bot.plugins.slack_chat.trouble import SlackRefused

log = logging.getLogger(__name__)

STEP = "ask_bellhop"
"""The step in the manifest."""
ASKER = "workflows"
"""Whom contacts.yaml names to give steps a role: `slack: ["TEAM:workflows"]`."""
QUESTION, ANSWER = "question", "answer"
NO_ANSWER = Phrase("There is no answer.")
EVENT = "function_executed"
_RUN = "Fx"
_ANSWER_CHARS = 12_000
_OVER = {"function_execution_not_found", "function_execution_already_completed"}
DESCRIPTION: JsonObject = {
    STEP: {
        "title": "Ask Bellhop",
        "description": "Asks Bellhop a question; the next steps can use its answer",
        "input_parameters": {
            QUESTION: {
                "type": "string",
                "title": "Question",
                "description": "What Bellhop is to answer or do",
                "is_required": True,
            }
        },
        "output_parameters": {
            ANSWER: {
                "type": "string",
                "title": "Answer",
                "description": "What Bellhop says",
                "is_required": True,
            }
        },
    }
}


def asked_by_step(event: JsonObject, team: str) -> IncomingMessage | None:
    """A run of our step as a question; None for any other function."""
    run = text_in(event, "function_execution_id")
    question = text_in(object_in(event, "inputs"), QUESTION).strip()
    is_ours = text_in(object_in(event, "function"), "callback_id") == STEP
    if not is_ours or not run.startswith(_RUN) or not question:
        return None
    conversation = Conversation(PLATFORM, team, run, Place.DM, "a workflow")
    return IncomingMessage(
        key=f"{PLATFORM}:{team}:{run}",
        conversation=conversation,
        sender=PlatformPerson(ASKER, "A workflow", outside=True),
        text=question,
        typed="",
        reply_to=ReplyTarget(conversation),
        sent_at=moment(text_in(event, "event_ts")),
        addressed=Addressed.DM,
        private=True,
    )


def is_of_step(target: ReplyTarget) -> bool:
    """Whether an answer goes to a run of our step."""
    return target.conversation.id.startswith(_RUN)


async def complete(connection: SlackConnection, message: OutgoingMessage, now: datetime) -> Receipt:
    """Hand the answer to the workflow, which then goes on; further messages go nowhere.

    Raises DeliveryError.
    """
    run = message.target.conversation.id
    if message.failed or not message.text.strip():
        error = message.text.strip()[:_ANSWER_CHARS] or NO_ANSWER.said(message.language)
        await _end(connection, "functions.completeError", run, error=error)
    else:
        said = {ANSWER: message.text[:_ANSWER_CHARS]}
        await _end(connection, "functions.completeSuccess", run, outputs=said)
    return Receipt((run,), run, sent_at=now)


async def _end(connection: SlackConnection, method: str, run: str, **what: Any) -> None:
    try:
        await connection.call(method, function_execution_id=run, **what)
    except SlackRefused as refused:
        if refused.error not in _OVER:
            raise
        log.info("run=<%s> | the step has its answer already", run)
