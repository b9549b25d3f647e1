"""What the assistant can do: definitions, catalogue, toolset, gate, executor."""
