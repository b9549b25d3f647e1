"""Errors of calls to Telegram, by whether the call may have taken effect."""

from bot.plugin.chat import DeliveryError


class TelegramTrouble(DeliveryError):
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
        lasting = lasting and retry_after is None
        text = f"Telegram refused {method}: {error}"
        super().__init__(text, retryable=not lasting or no_token)
        self.method = method
        self.error = error
        self.retry_after = retry_after
        """Seconds to wait after a rate limit."""
        self.lasting = lasting
        """Whether the same call would be refused again."""
        self.no_token = no_token
        """Whether another token is needed."""

    def says(self, *parts: str) -> bool:
        """Whether Telegram's description has one of these: it gives no codes."""
        return any(part in self.error.casefold() for part in parts)


class TelegramUnreached(TelegramTrouble):
    """No connection came about, so nothing was done."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Telegram could not be reached for {method}: {reason}", retryable=True)


class TelegramUnsure(TelegramTrouble):
    """No answer arrived: the call may have taken effect."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Telegram did not answer {method}: {reason}", retryable=True)
