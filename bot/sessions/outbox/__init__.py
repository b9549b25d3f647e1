"""What platforms are given: intent, call, receipt; cards that are over; what a platform did not show."""
