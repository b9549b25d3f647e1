"""Imported skills and tools: read tolerantly, audited, staged, approved by a MasterAdmin."""
