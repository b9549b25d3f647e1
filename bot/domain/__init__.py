"""What things are: frozen dataclasses, enums and the Protocols of the seams.

No I/O, no third party.
"""
