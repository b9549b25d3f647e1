"""Schedules: when a cron expression or a single date comes due, work is submitted under a key of its own."""
