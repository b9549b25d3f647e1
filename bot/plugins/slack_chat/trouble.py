"""Errors of calls to Slack, by whether the call may have taken effect."""

from bot.plugin.chat import DeliveryError

NO_TOKEN = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"}
)
"""Errors that need another token."""
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
"""Final errors. An unknown error may pass later."""
_UNSURE = {
    "internal_error",
    "fatal_error",
    "service_unavailable",
    "request_timeout",
    "team_added_to_org",
}


class SlackTrouble(DeliveryError):
    """A call to Slack failed."""


class SlackRefused(SlackTrouble):
    """Slack refused the call, so nothing was done."""

    def __init__(self, method: str, error: str, retry_after: float | None = None) -> None:
        super().__init__(
            f"Slack refused {method}: {error}",
            retryable=retry_after is not None or error not in _FINAL,
        )
        self.method = method
        self.error = error
        self.retry_after = retry_after
        """Seconds to wait after a rate limit."""


class SlackUnsure(SlackTrouble):
    """No answer arrived: the call may have taken effect."""

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(f"Slack did not answer {method}: {reason}", retryable=True)
        self.method = method


def is_unsure(error: str) -> bool:
    """Whether this error code of Slack leaves open what happened."""
    return error in _UNSURE
