"""Skills: prose that is read just in time; manifests that unlock tools come beside it."""
