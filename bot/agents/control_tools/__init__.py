"""The tools of the loop itself, beside delegation."""
