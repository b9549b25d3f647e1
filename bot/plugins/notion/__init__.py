"""Pages of Notion as markdown."""
