"""What can come of a call to Slack, told apart by whether it may have been done."""

from bot.errors import BotError, DeliveryError

NO_TOKEN = frozenset({"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"})
"""Nothing can be done until somebody gives the app another token."""
_AUTH = {*NO_TOKEN, "missing_scope"}
_UNSURE = {"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"}


class SlackTrouble(BotError):
    """A call to Slack failed."""


class SlackRefused(SlackTrouble):
    """Slack answered, and nothing was done."""

    def __init__(self, method: str, error: str, retry_after: float | None = None) -> None:
        super().__init__(f"Slack refused {method}: {error}")
        self.method = method
        self.error = error
        self.retry_after = retry_after
        """Seconds to wait when the rate limit is the reason."""


class SlackUnsure(SlackTrouble):
    """No answer came back: it may have been done or not."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Slack did not answer {method}: {reason}")
        self.method = method


def is_unsure(error: str) -> bool:
    """Whether this error code of Slack leaves open what happened."""
    return error in _UNSURE


def as_delivery_error(trouble: SlackTrouble) -> DeliveryError:
    """For the outbox: a lost answer, a limit or a token can get better, the rest stays as it is."""
    match trouble:
        case SlackRefused(error=error, retry_after=retry_after):
            again = retry_after is not None or error in _AUTH
            return DeliveryError(str(trouble), retryable=again)
        case _:
            return DeliveryError(str(trouble), retryable=True)
