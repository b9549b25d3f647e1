"""The `bellhop` command, with one module per group of commands."""
