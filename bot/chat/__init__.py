"""What chat platforms share; the terminal; platforms that another process is connected to."""
