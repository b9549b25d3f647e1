"""People: contacts.yaml, facts from platforms, and one person with several accounts."""
