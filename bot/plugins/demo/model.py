"""The demo's model: the offline rules, with the words of the tours, and as slow as a real one."""

from bot.loopback.messages_api import MessagesApi, offline_answers
from bot.plugin.clock import SystemClock
from bot.plugin.models import JsonObject, ModelReply
from bot.plugins.demo.requests import NewestRequests
from bot.plugins.demo.scripts import script_of

WORD_S = 0.04
"""Seconds between two words of an answer."""


def demo_model(requests: NewestRequests, word_s: float = WORD_S) -> MessagesApi:
    """A Messages API without a key, which notes what it is asked."""
    answers = offline_answers(SystemClock(), script_of)

    def respond(body: JsonObject) -> ModelReply:
        requests.note(body)
        return answers(body)

    api = MessagesApi(respond=respond, strict=False)
    api.pause_s, api.keeps = word_s, False
    return api
