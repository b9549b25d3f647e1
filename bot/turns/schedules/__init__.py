"""Schedules: when a cron expression or single date is due, work is submitted under its own key."""
