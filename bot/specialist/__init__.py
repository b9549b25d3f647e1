"""The program behind `bellhop specialist`: one agent's loop in a process of its own."""
