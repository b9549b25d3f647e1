"""Drafts of tools and skills that plug-ins hand in: read, audited and tried like what is live."""
