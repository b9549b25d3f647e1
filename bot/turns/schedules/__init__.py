"""Schedules: submits work under its own key when a cron expression or a single date is due."""
