"""Readers of documents, one module for each family. They run in the limited process alone."""
