"""Chat platforms that another process is connected to: it makes the calls of this one."""
