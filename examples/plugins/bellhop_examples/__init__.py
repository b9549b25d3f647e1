"""Example plug-ins of Bellhop: docs/plugins.md."""
