"""Skills and tools that are to become live: audited, staged, approved by a MasterAdmin."""
