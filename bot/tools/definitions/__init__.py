"""Reads one tool file into one ToolDefinition, or into a problem that names its line."""
