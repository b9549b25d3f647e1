"""Tools and skills that plug-ins draft or read from elsewhere: audited, and staged for a yes."""
