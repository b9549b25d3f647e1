"""Looks at hosts: names, certificates, headers and ports, within `web:`."""
