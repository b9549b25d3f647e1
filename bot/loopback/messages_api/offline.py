"""The offline model behind the loopback socket: conversations without a script."""

from collections.abc import Callable

from bot.plugin.clock import Clock
from bot.plugin.models import JsonObject, ModelReply, Usage
from bot.plugin.offline import OfflineServer, Script, Situation


def offline_answers(
    clock: Clock, first: Callable[[Situation], Script | None] = lambda _situation: None
) -> Callable[[JsonObject], ModelReply]:
    """Return the answers for `MessagesApi(respond=offline_answers(clock))`.

    `first` may give the script for a situation; else the rules do.
    """
    server = OfflineServer(clock, first)

    def respond(body: JsonObject) -> ModelReply:
        message = server.reply(body)
        usage = Usage(output_tokens=message["usage"]["output_tokens"])
        return ModelReply(
            tuple(message["content"]), message["stop_reason"], usage, message["model"]
        )

    return respond
