"""Whether a delivery that failed may be tried again: for `pytest.raises(..., check=passing)`."""

from bot.errors import DeliveryError


def passing(error: DeliveryError) -> bool:
    """Whether the same send may succeed later."""
    return error.retryable


def final(error: DeliveryError) -> bool:
    """Whether trying again is of no use."""
    return not error.retryable
