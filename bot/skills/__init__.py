"""Skills: instructions that are read on demand, and manifests that unlock tools."""
