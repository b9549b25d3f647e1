"""Words and patterns of text: stems, globs, and expressions that hostile text can't stall."""
