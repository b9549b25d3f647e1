"""A real browser: pages that need one, logins that last, and no step that writes without a yes."""
