"""The firewall csf of this machine."""
