"""Moving in from OpenClaw."""
