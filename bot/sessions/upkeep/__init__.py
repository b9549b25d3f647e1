"""Background upkeep: sessions end, questions expire, old turns are deleted."""
