"""One tool file read into one ToolDefinition, or into a problem that names its line."""
