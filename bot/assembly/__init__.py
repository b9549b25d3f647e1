"""The parts of `build_app`, which is the only composition root."""
