"""Whom a question about a call or a stranger is shown to, and what a decision sets off."""
