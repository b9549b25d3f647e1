"""The offline model behind the loopback socket: conversations without a script."""

from collections.abc import Callable

from bot.plugin.clock import Clock
from bot.plugin.models import JsonObject, ModelReply, Usage
from bot.plugin.offline import OfflineServer


def offline_answers(clock: Clock) -> Callable[[JsonObject], ModelReply]:
    """Return the answers for `MessagesApi(respond=offline_answers(clock))`."""
    server = OfflineServer(clock)

    def respond(body: JsonObject) -> ModelReply:
        message = server.reply(body)
        usage = Usage(output_tokens=message["usage"]["output_tokens"])
        return ModelReply(
            tuple(message["content"]), message["stop_reason"], usage, message["model"]
        )

    return respond
