"""Errors of calls to Telegram, by whether the call may have taken effect."""

from bot.plugin.chat import BotError, DeliveryError


class TelegramTrouble(BotError):
    """A call to Telegram failed."""


class TelegramRefused(TelegramTrouble):
    """Telegram refused the call, so nothing was done."""

    def __init__(
        self,
        method: str,
        error: str,
        retry_after: float | None = None,
        *,
        lasting: bool = True,
        no_token: bool = False,
    ) -> None:
        super().__init__(f"Telegram refused {method}: {error}")
        self.method = method
        self.error = error
        self.retry_after = retry_after
        """Seconds to wait after a rate limit."""
        self.lasting = lasting and retry_after is None
        """Whether the same call would be refused again."""
        self.no_token = no_token
        """Whether another token is needed."""

    def says(self, *parts: str) -> bool:
        """Whether Telegram's description has one of these: it gives no codes."""
        return any(part in self.error.casefold() for part in parts)


class TelegramUnreached(TelegramTrouble):
    """No connection came about, so nothing was done."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Telegram could not be reached for {method}: {reason}")


class TelegramUnsure(TelegramTrouble):
    """No answer arrived: the call may have taken effect."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Telegram did not answer {method}: {reason}")


def as_delivery_error(trouble: TelegramTrouble) -> DeliveryError:
    """For the outbox: lasting refusals are not retried; everything else may pass later."""
    lasting = isinstance(trouble, TelegramRefused) and trouble.lasting and not trouble.no_token
    return DeliveryError(str(trouble), retryable=not lasting)
