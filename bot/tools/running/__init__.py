"""Running one call: native handlers, sandboxed scripts, HTTP requests, and their output."""
