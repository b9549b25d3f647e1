"""Fakes, scripted models, campaigns and corpora, for tests and benches. The wheel lacks this package."""
