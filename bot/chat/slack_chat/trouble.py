"""What can come of a call to Slack, told apart by whether it may have been done."""

from bot.errors import BotError, DeliveryError

NO_TOKEN = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"}
)
"""Nothing can be done until somebody gives the app another token."""
_FINAL = {
    "cannot_dm_bot",
    "cant_update_message",
    "channel_not_found",
    "edit_window_closed",
    "ekm_access_denied",
    "file_not_found",
    "invalid_blocks",
    "invalid_users",
    "is_archived",
    "message_not_found",
    "messages_tab_disabled",
    "method_not_supported_for_channel_type",
    "msg_blocks_too_long",
    "msg_too_long",
    "no_permission",
    "no_text",
    "not_in_channel",
    "restricted_action",
    "restricted_action_non_threadable_channel",
    "restricted_action_read_only_channel",
    "restricted_action_thread_locked",
    "team_access_not_granted",
    "too_large",
    "too_many_attachments",
    "user_disabled",
    "user_not_found",
    "user_not_in_channel",
    "users_not_found",
}
"""Trying again changes nothing. Whatever is not known may pass later."""
_UNSURE = {
    "internal_error",
    "fatal_error",
    "service_unavailable",
    "request_timeout",
    "team_added_to_org",
}


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
    """For the outbox: final errors are not retried; all others may pass later."""
    match trouble:
        case SlackRefused(error=error, retry_after=retry_after):
            return DeliveryError(
                str(trouble), retryable=retry_after is not None or error not in _FINAL
            )
        case _:
            return DeliveryError(str(trouble), retryable=True)
