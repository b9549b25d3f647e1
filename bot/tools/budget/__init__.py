"""The cost of calls: limits, prices, and usage."""
