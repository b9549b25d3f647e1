"""The doors of the process: the `bellhop` command, one module per group of commands."""
