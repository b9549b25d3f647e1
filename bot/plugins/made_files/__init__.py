"""Files that people ask for: documents, tables, dates and plots, made in a process with limits."""
