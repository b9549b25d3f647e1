"""What the assistant can do: tool files, the toolset of a request, permission, running a call."""
