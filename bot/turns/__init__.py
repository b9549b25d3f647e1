"""The turn journal: accept work durably, run it step by step, survive kill -9."""
