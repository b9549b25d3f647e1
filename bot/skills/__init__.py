"""Skills: prose that is read just in time (seed 0); manifests that unlock tools come beside it (seed 1)."""
