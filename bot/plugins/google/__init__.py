"""Gmail and Google Calendar of people who connected Google."""
