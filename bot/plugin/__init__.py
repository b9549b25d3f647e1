"""What a plug-in imports, and nothing else of the house: docs/plugins.md."""
