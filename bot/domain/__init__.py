"""The domain: frozen dataclasses, enums, and the Protocols between the packages.

It does no I/O and imports no third-party package.
"""
