"""What happens without anybody asking: sessions end, questions expire, old turns go."""
