"""All tool files of this installation, and finding tools among them."""
