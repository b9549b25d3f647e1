"""Skills and tools from elsewhere: read tolerantly, audited, staged, and live only when a MasterAdmin says so."""
