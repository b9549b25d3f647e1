"""The turn journal: accepts work durably, runs it step by step, survives kill -9."""
