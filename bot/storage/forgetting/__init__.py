"""Forgetting everywhere: every row, index, page and file of the home that holds certain words."""
