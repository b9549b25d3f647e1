"""Recordings (voice messages, sound, video) written down by the operator's transcriber."""
