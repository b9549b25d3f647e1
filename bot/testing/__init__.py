"""Fakes, scripted models, campaigns and corpora for tests and benches; not in the wheel."""
