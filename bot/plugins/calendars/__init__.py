"""People's calendars: reading them and creating events."""
